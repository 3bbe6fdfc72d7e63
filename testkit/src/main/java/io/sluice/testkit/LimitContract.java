package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ErrorCode;
import io.sluice.Limit;
import io.sluice.LimitState;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.RateLimit.Per;
import io.sluice.Scope;
import io.sluice.SluiceException;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Limits;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Limits as they are set, listed and looked at. */
public interface LimitContract extends StoreTopic {
  RateLimit RATE = new RateLimit(90, Per.MINUTE, 4);

  @Test
  default void limits_areKept_replaced_andLifted(Bench bench) {
    Limits limits = bench.store().limits();
    Limit both = new Limit(Scope.tenant("acme"), RATE, 7);
    limits.save(both);
    assertThat(bench.other().limits().list(null)).containsExactly(both);
    Limit one = new Limit(Scope.tenant("acme"), null, 3);
    bench.other().limits().save(one);
    assertThat(limits.list("acme")).containsExactly(one);
    assertThat(limits.delete(Scope.tenant("acme"))).isTrue();
    assertThat(limits.delete(Scope.tenant("acme"))).isFalse();
    assertThat(bench.other().limits().list(null)).isEmpty();
  }

  @Test
  default void limits_areListed_byTenantKindAndName(Bench bench) {
    bench.store().queues().save(QueueSettings.of("acme", "mail").withMaxConcurrent(3));
    bench.store().queues().save(QueueSettings.of("acme", "open"));
    List<Scope> scopes = List.of(
        Scope.global(),
        Scope.tenant("acme"),
        Scope.queue("acme", "mail"),
        Scope.urlGroup("acme", "crm"),
        Scope.type("acme", "http"),
        Scope.key("acme", "a*"),
        Scope.key("acme", "b"),
        Scope.tenant("globex"));
    scopes.reversed().stream()
        .filter(scope -> scope.kind() != Scope.Kind.QUEUE)
        .forEach(scope -> bench.store().limits().save(new Limit(scope, null, 1)));
    assertThat(bench.store().limits().list(null)).extracting(Limit::scope).isEqualTo(scopes);
    assertThat(bench.store().limits().list("acme"))
        .extracting(Limit::scope)
        .isEqualTo(scopes.subList(1, 7));
  }

  @Test
  default void theLimitOfAQueue_isThatOfItsSettings_fromBothSides(Bench bench) {
    bench.store().queues().save(QueueSettings.of("mail").withMaxSize(50L).withMaxConcurrent(2));
    Scope scope = Scope.queue("default", "mail");
    assertThat(bench.store().limits().list(null)).containsExactly(new Limit(scope, null, 2));
    bench.store().limits().save(new Limit(scope, RATE, null));
    QueueSettings now =
        bench.other().queues().find("default", "mail").orElseThrow().settings();
    assertThat(now).isEqualTo(QueueSettings.of("mail").withMaxSize(50L).withRateLimit(RATE));
    assertThat(bench.store().limits().delete(scope)).isTrue();
    assertThat(bench.store().limits().delete(scope)).isFalse();
    assertThat(bench.other().queues().find("default", "mail").orElseThrow().settings())
        .isEqualTo(QueueSettings.of("mail").withMaxSize(50L));
  }

  @Test
  default void aLimitOnAQueueThatIsNotThere_isRefused(Bench bench) {
    Scope scope = Scope.queue("default", "nowhere");
    assertThatThrownBy(() -> bench.store().limits().save(new Limit(scope, null, 1)))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    assertThat(bench.store().limits().delete(scope)).isFalse();
    assertThat(bench.store().limits().state(scope)).isEmpty();
  }

  @Test
  default void aLimitOnADefaultQueue_makesTheQueue(Bench bench) {
    bench.store().limits().save(new Limit(Scope.queue("acme", "default"), null, 1));
    bench.add(3, Draft.job().tenant("acme"));
    assertThat(bench.claim(10)).hasSize(1);
  }

  @Test
  default void aChange_isTold(Bench bench) {
    try (WakeupContract.Ear ear = WakeupContract.Ear.elsewhere(bench)) {
      bench.store().limits().save(new Limit(Scope.global(), null, 1));
      ear.hears("queues");
      ear.forget();
      bench.store().limits().delete(Scope.global());
      ear.hears("queues");
    }
  }

  @Test
  default void state_showsWhatRuns_andWhereAndWhatWaits(Bench bench) {
    Limit limit = new Limit(Scope.type("default", Draft.TYPE), null, 3);
    bench.store().limits().save(limit);
    bench.add(6);
    bench.add(2, Draft.job().type("other"));
    long other = bench.worker("short", Duration.ofHours(1));
    bench.claimLane(bench.worker(), Draft.job().lane(), 10, 2);
    ClaimedJob last = bench.claimLane(other, Draft.job().lane(), 10, 2).getFirst();
    assertThat(bench.other().limits().state(limit.scope()))
        .contains(new LimitState(limit, 3, Map.of("steady", 2, "short", 1), null, null, null, 3));
    bench.complete(last);
    assertThat(bench.store().limits().state(limit.scope()))
        .contains(new LimitState(limit, 2, Map.of("steady", 2), null, null, null, 3));
  }

  @Test
  default void state_showsHowFarARateIsUsed(Bench bench) {
    Limit limit = new Limit(Scope.type("default", Draft.TYPE), new RateLimit(2, 3), null);
    bench.store().limits().save(limit);
    assertThat(bench.store().limits().state(limit.scope()))
        .contains(new LimitState(limit, 0, Map.of(), 0.0, bench.now(), bench.now(), 0));
    bench.add(5);
    bench.claim(10);
    assertThat(bench.other().limits().state(limit.scope()))
        .contains(new LimitState(
            limit,
            3,
            Map.of("steady", 3),
            3.0,
            bench.now().plusMillis(500),
            bench.now().plusMillis(1_500),
            2));
    bench.advance(Duration.ofSeconds(1));
    LimitState later = bench.store().limits().state(limit.scope()).orElseThrow();
    assertThat(later.spent()).isEqualTo(1.0);
    assertThat(later.nextStartAt()).isEqualTo(bench.now());
  }

  @Test
  default void state_ofAKey_isThatUnderItsPattern_andOfAPatternThatOfAllKeys(Bench bench) {
    Limit pattern = new Limit(Scope.key("default", "c-*"), new RateLimit(1, 2), 2);
    Limit own = new Limit(Scope.key("default", "c-9"), null, 5);
    bench.store().limits().save(pattern);
    bench.store().limits().save(own);
    for (String key : List.of("c-1", "c-2", "c-9")) {
      bench.add(3, Draft.job().limitKey(key));
    }
    bench.claim(20);
    LimitState one = bench.store().limits().state(Scope.key("default", "c-1")).orElseThrow();
    assertThat(one.limit()).isEqualTo(pattern);
    assertThat(List.of(one.running(), one.waiting(), one.spent())).isEqualTo(List.of(2, 1L, 2.0));
    LimitState all = bench.store().limits().state(pattern.scope()).orElseThrow();
    assertThat(List.of(all.running(), all.waiting())).isEqualTo(List.of(4, 2L));
    assertThat(all.spent()).isNull();
    assertThat(bench.store().limits().state(own.scope()).orElseThrow().running())
        .isEqualTo(3);
    assertThat(bench.store().limits().state(Scope.key("default", "d-1"))).isEmpty();
  }

  @Test
  default void purge_forgetsNothingThatIsUsed(Bench bench) {
    Limit limit = new Limit(Scope.type("default", Draft.TYPE), new RateLimit(1, Per.HOUR, 2), null);
    bench.store().limits().save(limit);
    bench.add(5);
    bench.claim(10);
    bench.store().purge();
    assertThat(bench.claim(10)).isEmpty();
    bench.advance(Duration.ofHours(2));
    bench.store().purge();
    assertThat(bench.claim(10)).hasSize(2);
  }
}
