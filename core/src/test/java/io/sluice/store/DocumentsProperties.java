package io.sluice.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.ErrorClass;
import io.sluice.JobError;
import io.sluice.Metadata;
import io.sluice.Predecessor;
import io.sluice.RetryPolicy;
import io.sluice.RetryStrategy;
import io.sluice.Ties;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** What is written as JSON is read back the same. */
class DocumentsProperties {
  @Property(tries = 200)
  void metadata_comesBack(@ForAll("metadata") Metadata metadata) {
    assertThat(Documents.metadata(Documents.of(metadata))).isEqualTo(metadata);
  }

  @Property(tries = 200)
  void retryPolicy_comesBack(@ForAll("policies") RetryPolicy policy) {
    assertThat(Documents.retryPolicy(Documents.of(policy))).isEqualTo(policy);
  }

  @Property(tries = 200)
  void error_comesBack(@ForAll("errors") JobError error) {
    assertThat(Documents.error(Documents.of(error))).isEqualTo(error);
  }

  @Property(tries = 200)
  void ties_comeBack_withoutTheirBatch(@ForAll("ties") Ties ties) {
    assertThat(Documents.ties(Documents.of(ties), null)).isEqualTo(ties.in(null));
    assertThat(Documents.ties(Documents.of(ties), ties.batch())).isEqualTo(ties);
  }

  @Provide
  Arbitrary<Ties> ties() {
    Arbitrary<UUID> ids = Arbitraries.longs().map(n -> new UUID(n, ~n));
    Arbitrary<List<Predecessor>> after = Combinators.combine(ids, texts())
        .as(Predecessor::new)
        .list()
        .ofMaxSize(5)
        .uniqueElements(Predecessor::id)
        .uniqueElements(Predecessor::name);
    return Combinators.combine(after, Arbitraries.of(AfterPolicy.class), ids.injectNull(0.5))
        .as(Ties::new);
  }

  private static Arbitrary<String> texts() {
    return Arbitraries.strings().ofMaxLength(20).excludeChars('\0');
  }

  private static Arbitrary<Object> values() {
    return Arbitraries.oneOf(
        texts().asGeneric(),
        Arbitraries.integers().asGeneric(),
        Arbitraries.of(true, false).asGeneric(),
        texts().list().ofMaxSize(3).asGeneric(),
        Arbitraries.maps(texts(), Arbitraries.integers()).ofMaxSize(3).asGeneric());
  }

  @Provide
  Arbitrary<Metadata> metadata() {
    Arbitrary<Map<String, Object>> custom = Arbitraries.maps(texts(), values()).ofMaxSize(4);
    return Combinators.combine(
            texts().injectNull(0.3),
            texts().injectNull(0.3),
            texts().injectNull(0.3),
            texts().injectNull(0.3),
            texts().injectNull(0.3),
            custom)
        .as(Metadata::new);
  }

  private static Arbitrary<Duration> delays() {
    return Arbitraries.longs().between(0, Duration.ofDays(3650).toMillis()).map(Duration::ofMillis);
  }

  private static Arbitrary<RetryPolicy> plain() {
    return Combinators.combine(
            Arbitraries.integers().between(1, Short.MAX_VALUE),
            Arbitraries.of(RetryStrategy.class),
            delays(),
            Arbitraries.doubles().between(1, 100),
            delays(),
            Arbitraries.doubles().between(0, 1))
        .as((attempts, strategy, first, factor, cap, jitter) ->
            new RetryPolicy(attempts, strategy, first, factor, cap, jitter, Map.of()));
  }

  @Provide
  Arbitrary<RetryPolicy> policies() {
    return Combinators.combine(
            plain(), Arbitraries.maps(Arbitraries.of(ErrorClass.class), plain()).ofMaxSize(3))
        .as((policy, on) -> new RetryPolicy(
            policy.maxAttempts(),
            policy.strategy(),
            policy.initialDelay(),
            policy.multiplier(),
            policy.maxDelay(),
            policy.jitter(),
            on));
  }

  @Provide
  Arbitrary<JobError> errors() {
    Arbitrary<Instant> times =
        Arbitraries.longs().between(0, 4_000_000_000_000L).map(Instant::ofEpochMilli);
    return Combinators.combine(
            times,
            Arbitraries.integers().between(1, 1000),
            Arbitraries.of(ErrorClass.class),
            texts(),
            texts(),
            texts().injectNull(0.5),
            Arbitraries.integers().between(100, 599).injectNull(0.5),
            texts().injectNull(0.5))
        .as(JobError::new);
  }
}
