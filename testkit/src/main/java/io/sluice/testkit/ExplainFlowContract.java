package io.sluice.testkit;

import static io.sluice.testkit.Told.START;
import static io.sluice.testkit.Told.TURN;
import static io.sluice.testkit.Told.assertExplained;
import static io.sluice.testkit.Told.assertReasons;
import static io.sluice.testkit.Told.codes;
import static io.sluice.testkit.Told.fail;
import static io.sluice.testkit.Told.reason;
import static io.sluice.testkit.Told.reasons;
import static io.sluice.testkit.Told.register;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.ErrorClass;
import io.sluice.Limit;
import io.sluice.Ordering;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import io.sluice.Scope;
import io.sluice.store.Breakers;
import io.sluice.store.ClaimedJob;
import io.sluice.store.ProbeGrant;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What limits, orders and breakers hold back, word for word. */
public interface ExplainFlowContract extends StoreTopic {
  Scope WORK = Scope.type("default", Draft.TYPE);

  @Test
  default void jobInAnOrder_waitsForTheOneThatRuns(Bench bench) {
    order(bench, Ordering.QUEUE);
    UUID first = bench.add(Draft.job().queue("fifo").priority(15));
    bench.add(2, Draft.job().queue("fifo").type("other"));
    UUID job = bench.add(Draft.job().queue("fifo"));
    assertReasons(
        bench,
        job,
        behind(first, "is ready", null),
        reason(
            ReasonCode.AHEAD,
            "3 jobs are ahead of it in its order; none of its lane ended lately, so there is no telling"
                + " when its turn comes.",
            null,
            "Its turn comes when they are over, one after the other."));
    bench.advance(Duration.ofSeconds(5));
    bench.claim(first);
    assertThat(reasons(bench, job))
        .extracting(Reason::sentence)
        .startsWith("It runs in order behind job " + first
            + ", which runs on worker 'steady' since 2030-01-15T12:00:05Z.");
  }

  @Test
  default void jobInAnOrder_waitsForTheOneThatGoesOnLater(Bench bench) {
    order(bench, Ordering.KEY);
    UUID first = bench.add(Draft.job().queue("fifo").limitKey("a"));
    ClaimedJob claimed = bench.claim(first);
    UUID job = bench.add(Draft.job().queue("fifo").limitKey("a"));
    fail(bench, claimed, "boom", ErrorClass.SERVER);
    Instant retry = START.plusSeconds(30);
    assertReasons(bench, job, behind(first, "waits for its retry at 2030-01-15T12:00:30Z", retry));
    bench.advance(Duration.ofSeconds(30));
    assertThat(bench.store().promote(10).moved()).isEqualTo(1);
    bench.finish(bench.claim(first).ref(), Verdicts.snooze(Duration.ofSeconds(30)));
    assertReasons(
        bench, job, behind(first, "waits until 2030-01-15T12:01:00Z", START.plusSeconds(60)));
    assertThat(codes(bench, bench.add(Draft.job().queue("fifo").limitKey("b"))))
        .containsExactly(ReasonCode.READY);
    assertThat(codes(bench, bench.add(Draft.job().queue("fifo"))))
        .containsExactly(ReasonCode.READY);
  }

  private static void order(Bench bench, Ordering ordering) {
    register(bench, new WorkerSpec("w", 10, Set.of(Draft.TYPE, "other"), Set.of()));
    bench.worker();
    bench.store().queues().save(QueueSettings.of("fifo").withOrdered(ordering));
  }

  private static Tuple behind(UUID first, String doing, @Nullable Instant until) {
    return reason(
        ReasonCode.ORDERED_BEHIND,
        "It runs in order behind job " + first + ", which " + doing + ".",
        until,
        "It starts when that job is done or dead; cancel that job to go on without it.");
  }

  @Test
  default void fullLimit_isTold_withWhoHoldsItsSlots(Bench bench) {
    long w1 = register(bench, new WorkerSpec("w1", 10, Set.of(Draft.TYPE), Set.of()));
    long w2 = register(bench, new WorkerSpec("w2", 10, Set.of(Draft.TYPE), Set.of()));
    bench.store().limits().save(new Limit(Scope.tenant("default"), null, 3));
    bench.add(3);
    assertThat(bench.claim(w1, 1)).hasSize(1);
    assertThat(bench.claim(w2, 2)).hasSize(2);
    assertReasons(
        bench,
        bench.add(),
        reason(
            ReasonCode.CONCURRENCY_LIMITED,
            "The limit 'tenant' lets 3 jobs run at once, and 3 run: 1 on 'w1' and 2 on 'w2'.",
            null,
            "It starts when one of them ends; raise the limit to run more at once."));
  }

  @Test
  default void queueThatRunsAsManyAsItMay_isTold(Bench bench) {
    bench.worker();
    bench.store().queues().save(QueueSettings.of("emails").withMaxConcurrent(1));
    bench.claim(bench.add(Draft.job().queue("emails")));
    assertThat(reasons(bench, bench.add(Draft.job().queue("emails"))))
        .extracting(Reason::sentence)
        .containsExactly(
            "The limit 'queue:emails' lets 1 job run at once, and 1 runs: 1 on 'steady'.");
  }

  @Test
  default void spentRate_isTold_withTheNextStart(Bench bench) {
    bench.worker();
    bench.store().limits().save(new Limit(WORK, new RateLimit(10, 2), null));
    bench.add(4);
    assertThat(bench.claim(10)).hasSize(2);
    UUID job = bench.add();
    assertReasons(
        bench,
        job,
        reason(
            ReasonCode.RATE_LIMITED,
            "The limit 'type:work' lets 10 jobs start per second (burst 2), and they are used up: the"
                + " next may start at 2030-01-15T12:00:00.100Z, with 2 jobs ahead of this one in its lane.",
            START.plusMillis(100),
            "It starts when its turn has come; raise the limit to start more."),
        reason(
            ReasonCode.AHEAD,
            "2 jobs are ahead of it in its lane; none of its lane ended lately, so there is no telling"
                + " when its turn comes.",
            null,
            TURN));
    bench.advance(Duration.ofMillis(100));
    assertThat(codes(bench, job)).containsExactly(ReasonCode.AHEAD);
  }

  @Test
  default void freeRate_isNoReason(Bench bench) {
    bench.worker();
    bench.store().limits().save(new Limit(WORK, new RateLimit(10, 3), null));
    UUID first = bench.add();
    assertThat(codes(bench, first)).as("nothing is used").containsExactly(ReasonCode.READY);
    bench.claim(first);
    bench.claim(bench.add());
    UUID third = bench.add();
    assertThat(codes(bench, third)).as("one is left").containsExactly(ReasonCode.READY);
    assertThat(codes(bench, bench.add())).containsExactly(ReasonCode.AHEAD);
    bench.claim(third);
    assertThat(codes(bench, bench.add())).contains(ReasonCode.RATE_LIMITED);
    bench.advance(Duration.ofMinutes(1));
    assertThat(codes(bench, bench.add())).as("all are back").containsExactly(ReasonCode.AHEAD);
  }

  @Test
  default void rateTooLowForACostlyJob_isTold_withItsOwnStart(Bench bench) {
    bench.worker();
    bench.store().limits().save(new Limit(WORK, new RateLimit(10, 3), null));
    bench.claim(bench.add());
    UUID dear = bench.add(Draft.job().cost(3));
    assertReasons(
        bench,
        dear,
        reason(
            ReasonCode.RATE_LIMITED,
            "The limit 'type:work' lets 10 jobs start per second (burst 3), and too few are left for one"
                + " that counts for 3: such a job may start at 2030-01-15T12:00:00.100Z, with no job ahead"
                + " of this one in its lane.",
            START.plusMillis(100),
            "It starts when its turn has come; raise the limit to start more."));
    assertThat(codes(bench, bench.add(Draft.job().cost(2)))).containsExactly(ReasonCode.AHEAD);
    bench.advance(Duration.ofMillis(100));
    assertThat(codes(bench, dear)).containsExactly(ReasonCode.READY);
  }

  @Test
  default void spentRateOfAKey_isTold_withItsPattern(Bench bench) {
    bench.worker();
    Scope pattern = Scope.key("default", "customer-*");
    bench
        .store()
        .limits()
        .save(new Limit(pattern, new RateLimit(6, RateLimit.Per.MINUTE, 1), null));
    bench.claim(bench.add(Draft.job().limitKey("customer-7")));
    assertThat(reasons(bench, bench.add(Draft.job().limitKey("customer-7"))))
        .extracting(Reason::sentence)
        .containsExactly("The limit 'key:customer-*' for 'customer-7' lets 6 jobs start per minute"
            + " (burst 1), and they are used up: the next may start at 2030-01-15T12:00:10Z, with no job"
            + " ahead of this one in its lane.");
    assertThat(codes(bench, bench.add(Draft.job().limitKey("customer-8"))))
        .containsExactly(ReasonCode.READY);
  }

  @Test
  default void openBreaker_isTold_untilItsTimeIsOver(Bench bench) {
    open(bench);
    assertExplained(
        bench,
        bench.add(),
        "The job waits: the circuit breaker 'type:work' is open until 2030-01-15T12:00:30Z.",
        reason(
            ReasonCode.BREAKER_OPEN,
            "The circuit breaker 'type:work' is open until 2030-01-15T12:00:30Z.",
            START.plusSeconds(30),
            "Then a few jobs try again; reset the breaker to go on at once."));
    assertThat(codes(bench, bench.add(Draft.job().in(Duration.ofSeconds(20)))))
        .containsExactly(ReasonCode.SCHEDULED, ReasonCode.BREAKER_OPEN);
    assertThat(codes(bench, bench.add(Draft.job().in(Duration.ofSeconds(40)))))
        .containsExactly(ReasonCode.SCHEDULED);
  }

  @Test
  default void breakerWhoseTimeIsOver_isTold_withThoseThatTry(Bench bench) {
    Breakers breakers = open(bench);
    UUID job = bench.add();
    bench.advance(Duration.ofSeconds(30));
    assertReasons(
        bench, job, trying("was open until 2030-01-15T12:00:30Z and waits for a job to try again"));
    ProbeGrant grant = breakers.probe(WORK, 2);
    assertThat(breakers.probed(WORK, grant.version(), 1, 0)).isTrue();
    assertReasons(bench, job, trying("is half-open and lets 2 jobs try: 2 began, and 1 was well"));
    breakers.reset(WORK);
    assertThat(codes(bench, job)).containsExactly(ReasonCode.READY);
  }

  private static Tuple trying(String state) {
    return reason(
        ReasonCode.BREAKER_OPEN,
        "The circuit breaker 'type:work' " + state + ".",
        null,
        "It closes when those that try are well; reset the breaker to go on at once.");
  }

  /** Opens the breaker on the type of jobs for half a minute, after which two of them may try. */
  private static Breakers open(Bench bench) {
    bench.worker();
    Breakers breakers = bench.store().breakers();
    BreakerSettings settings =
        BreakerSettings.DEFAULT.withTripDuration(Duration.ofSeconds(30)).withHalfOpenMaxRequests(2);
    long version = breakers.save(WORK, settings).version();
    assertThat(breakers.move(WORK, version, BreakerState.OPEN)).isTrue();
    return breakers;
  }

  @Test
  default void breakerForcedOpen_isTold(Bench bench) {
    bench.worker();
    bench.store().breakers().forceOpen(Scope.urlGroup("default", "shop"));
    assertReasons(
        bench,
        bench.add(Draft.job().urlGroup("shop")),
        reason(
            ReasonCode.BREAKER_OPEN,
            "The circuit breaker 'url-group:shop' is forced open since 2030-01-15T12:00:00Z.",
            null,
            "Reset the breaker."));
    assertThat(codes(bench, bench.add())).containsExactly(ReasonCode.READY);
  }

  @Test
  default void groupWhoseReceiverPushesBack_isHeld(Bench bench) {
    bench.worker();
    Scope scope = Scope.urlGroup("default", "shop");
    bench.store().breakers().hold(scope, Duration.ofSeconds(90));
    UUID job = bench.add(Draft.job().urlGroup("shop"));
    assertReasons(
        bench,
        job,
        reason(
            ReasonCode.GROUP_HELD,
            "The URL group 'shop' is held, for its receiver asked to be left alone until"
                + " 2030-01-15T12:01:30Z.",
            START.plusSeconds(90),
            "It goes on at that time; reset the breaker to go on at once."));
    bench.advance(Duration.ofSeconds(90));
    assertThat(codes(bench, job)).containsExactly(ReasonCode.READY);
  }
}
