package io.sluice.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Limit;
import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.store.LaneFlow.Bound;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class AllowanceTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final Scope TENANT = Scope.tenant("acme");
  private static final Scope TYPE = Scope.type("acme", "mail");

  private final Map<Scope, Integer> running = new HashMap<>();
  private final Map<Scope, TokenBucket> buckets = new HashMap<>();

  private Allowance allowance(long ahead) {
    return allowance(ahead, 0);
  }

  private Allowance allowance(long ahead, long late) {
    return new Allowance(
        NOW,
        new StartTimes(Duration.ofMillis(ahead), Duration.ofMillis(late)),
        scope -> running.getOrDefault(scope, 0),
        buckets::get);
  }

  @Test
  void startsThatMayComeLate_leaveThatTimeFree_onceAfterAPause() {
    List<Bound> bounds = List.of(bound(TENANT, new RateLimit(10, 2), null));
    Allowance allowance = allowance(1_000, 30);
    List<Long> starts = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      starts.add(allowance.grant(1, bounds, 1).orElseThrow().toMillis());
    }
    assertThat(starts).containsExactly(0L, 30L, 130L, 230L);
  }

  private static Bound bound(Scope scope, @Nullable RateLimit rate, @Nullable Integer concurrency) {
    return new Bound(scope, new Limit(scope, rate, concurrency));
  }

  @Test
  void manyAtOnce_comeToTheSameAsOneByOne() {
    List<Bound> bounds = List.of(bound(TENANT, new RateLimit(10, 100), 90), bound(TYPE, null, 80));
    Allowance single = allowance(0, 30);
    for (int i = 0; i < 50; i++) {
      assertThat(single.grant(1, bounds, 1)).contains(Duration.ZERO);
    }
    Allowance together = allowance(0, 30);
    assertThat(together.grant(1, bounds, 1)).contains(Duration.ZERO);
    assertThat(together.grantAll(bounds, 49)).isTrue();
    assertThat(together.changed()).isEqualTo(single.changed());
    assertThat(together.most(bounds, scope -> 1))
        .isEqualTo(single.most(bounds, scope -> 1))
        .isEqualTo(30);
  }

  @Test
  void manyAtOnce_areRefusedTogether_whenOneOfThemMustWait() {
    List<Bound> rate = List.of(bound(TENANT, new RateLimit(10, 20), null));
    Allowance allowance = allowance(1_000);
    assertThat(allowance.grantAll(rate, 2))
        .as("of a full bucket, which is asked for one")
        .isFalse();
    assertThat(allowance.grant(1, rate, 1)).contains(Duration.ZERO);
    Map<Scope, TokenBucket> before = allowance.changed();
    assertThat(allowance.grantAll(rate, 20)).as("one more than the tokens").isFalse();
    assertThat(allowance.grantAll(rate, 21)).as("more than a burst").isFalse();
    assertThat(allowance.changed()).isEqualTo(before);
    assertThat(allowance.grantAll(rate, 19)).isTrue();
    assertThat(allowance.grantAll(List.of(bound(TYPE, null, 3)), 4)).isFalse();
    assertThat(allowance.grantAll(List.of(bound(TYPE, null, 3)), 3)).isTrue();
  }

  @Test
  void manyAtOnce_takeNothing_ofWhatIsSavedUp() {
    buckets.put(TENANT, new TokenBucket(NOW.plusSeconds(3), Duration.ofSeconds(1), NOW));
    List<Bound> tenant = List.of(bound(TENANT, new RateLimit(1, 5), null));
    Allowance allowance = allowance(0);
    assertThat(allowance.grant(1, tenant, 4)).isEmpty();
    assertThat(allowance.grantAll(tenant, 1)).isFalse();
  }

  @Test
  void concurrency_isWhatRuns_andWhatWasGranted() {
    running.put(TENANT, 3);
    List<Bound> bounds = List.of(bound(TENANT, null, 5));
    Allowance allowance = allowance(0);
    assertThat(allowance.most(bounds, scope -> 1)).isEqualTo(2);
    assertThat(allowance.grant(1, bounds, 1)).contains(Duration.ZERO);
    assertThat(allowance.grant(2, bounds, 9)).contains(Duration.ZERO);
    assertThat(allowance.most(bounds, scope -> 1)).isZero();
    assertThat(allowance.grant(7, bounds, 1)).isEmpty();
    assertThat(allowance.spent()).containsExactly(new SpentLimit(TENANT, List.of(7), null));
    assertThat(allowance.changed()).isEmpty();
  }

  @Test
  void aLimitThatWasLowered_givesNothing() {
    running.put(TENANT, 9);
    assertThat(allowance(0).grant(1, List.of(bound(TENANT, null, 5)), 1)).isEmpty();
  }

  @Test
  void aStart_isTheLatestOfAll_andEveryBucketPays() {
    List<Bound> bounds =
        List.of(bound(TENANT, new RateLimit(10, 1), null), bound(TYPE, new RateLimit(1, 2), null));
    Allowance allowance = allowance(1_000);
    assertThat(allowance.grant(1, bounds, 1)).contains(Duration.ZERO);
    assertThat(allowance.grant(1, bounds, 1)).contains(Duration.ofMillis(100));
    assertThat(allowance.grant(1, bounds, 1)).contains(Duration.ofSeconds(1));
    assertThat(allowance.grant(1, bounds, 1)).isEmpty();
    assertThat(allowance.changed().get(TENANT).goodAt()).isEqualTo(NOW.plusMillis(1_100));
    assertThat(allowance.changed().get(TYPE).goodAt()).isEqualTo(NOW.plusMillis(3_000));
    assertThat(allowance.spent())
        .containsExactlyInAnyOrder(
            new SpentLimit(TENANT, List.of(1), Duration.ofMillis(100)),
            new SpentLimit(TYPE, List.of(1), Duration.ofSeconds(1)));
  }

  @Test
  void aRefusedJob_costsNothing() {
    List<Bound> bounds = List.of(bound(TENANT, new RateLimit(10, 5), null), bound(TYPE, null, 1));
    Allowance allowance = allowance(0);
    allowance.grant(1, bounds, 1);
    Map<Scope, TokenBucket> before = allowance.changed();
    assertThat(allowance.grant(1, bounds, 1)).isEmpty();
    assertThat(allowance.changed()).isEqualTo(before);
  }

  @Test
  void tokensAreSavedUp_forAJobThatWaitsForThemAlone() {
    buckets.put(TENANT, new TokenBucket(NOW.plusSeconds(3), Duration.ofSeconds(1), NOW));
    Bound tenant = bound(TENANT, new RateLimit(1, 5), null);
    Allowance allowance = allowance(0);
    assertThat(allowance.most(tenant, 1)).isEqualTo(2);
    assertThat(allowance.grant(1, List.of(tenant), 4)).isEmpty();
    assertThat(allowance.most(tenant, 1)).isZero();
    assertThat(allowance.grant(2, List.of(tenant), 1)).isEmpty();
    assertThat(allowance.spent())
        .containsExactly(new SpentLimit(TENANT, List.of(1, 2), Duration.ofSeconds(2)));
  }

  @Test
  void nothingIsSavedUp_forAJobThatWaitsForMore() {
    buckets.put(TENANT, new TokenBucket(NOW.plusSeconds(3), Duration.ofSeconds(1), NOW));
    Bound tenant = bound(TENANT, new RateLimit(1, 5), null);
    running.put(TYPE, 1);
    Allowance allowance = allowance(0);
    assertThat(allowance.grant(1, List.of(tenant, bound(TYPE, null, 1)), 4)).isEmpty();
    assertThat(allowance.grant(2, List.of(tenant), 1)).isPresent();
    assertThat(allowance.grant(3, List.of(tenant, bound(TYPE, new RateLimit(1, 1), null)), 1))
        .isPresent();
  }

  @Test
  void whatMustEndFirst_goesBeforeATime() {
    Allowance allowance = allowance(0);
    allowance.note(TENANT, 1, Duration.ofMillis(5));
    allowance.note(TENANT, 2, Duration.ofMillis(3));
    assertThat(allowance.spent())
        .containsExactly(new SpentLimit(TENANT, List.of(1, 2), Duration.ofMillis(5)));
    allowance.note(TENANT, 3, null);
    assertThat(allowance.spent()).containsExactly(new SpentLimit(TENANT, List.of(1, 2, 3), null));
  }

  @Test
  void aBucketOfAnotherRate_isKeptAnew_thoughNothingIsTaken() {
    RateLimit before = new RateLimit(1, 1);
    buckets.put(TENANT, TokenBucket.full(before, NOW).charged(3, NOW));
    Allowance allowance = allowance(0);
    List<Bound> bounds = List.of(bound(TENANT, new RateLimit(10, 1), null));
    assertThat(allowance.isHeld(1, bounds, 1)).isTrue();
    assertThat(allowance.changed().get(TENANT))
        .isEqualTo(new TokenBucket(NOW.plusMillis(300), Duration.ofMillis(100), NOW));
  }
}
