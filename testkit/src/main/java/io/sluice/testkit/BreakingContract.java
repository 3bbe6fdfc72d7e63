package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AttemptFailure;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import io.sluice.ErrorClass;
import io.sluice.Event;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.JobType;
import io.sluice.Jobs;
import io.sluice.QueueSettings;
import io.sluice.ReasonCode;
import io.sluice.RemoteJob;
import io.sluice.RetryPolicy;
import io.sluice.Scope;
import io.sluice.Sluice;
import io.sluice.When;
import io.sluice.store.Breakers;
import io.sluice.store.JobStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What breakers hold back, what they let through, and what that costs the jobs: nothing. */
public interface BreakingContract extends EngineTopic {
  Scope WORK = Scope.type("default", Rig.TYPE);
  Scope GROUP = Scope.urlGroup("default", "stripe");
  /** Opens after two calls for longer than any test takes. */
  BreakerSettings TOUCHY =
      BreakerSettings.DEFAULT.withMinimumCalls(2).withTripDuration(Duration.ofHours(1));

  /** Opens after two calls for a moment. */
  BreakerSettings BRIEF = TOUCHY.withTripDuration(Duration.ofMillis(300));

  /** A target that can be down, and counts who comes. */
  final class Target {
    private final AtomicBoolean down = new AtomicBoolean(true);
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();

    JobType<Rig.Note> type() {
      return Rig.type().slots(1).handle((job, context) -> {
        calls.incrementAndGet();
        if (down.get()) {
          failures.incrementAndGet();
          throw new IOException("down");
        }
      });
    }
  }

  private static BreakerState state(Rig rig, Scope scope) {
    return rig.store().breakers().find(scope).orElseThrow().state();
  }

  private static void awaitState(Rig rig, Scope scope, BreakerState state) {
    Eventually.await(scope.key() + " is " + state, () -> state(rig, scope) == state);
  }

  private static List<UUID> enqueue(Sluice engine, int n, RetryPolicy retry) {
    List<UUID> ids = new ArrayList<>();
    Rig.jobs(n).forEach(job -> ids.add(engine.enqueue(job.retry(retry)).id()));
    return ids;
  }

  private static int attempts(Rig rig, List<UUID> jobs) {
    return jobs.stream().mapToInt(job -> rig.find(job).attempt()).sum();
  }

  @Test
  default void breaker_opens_andJobsWaitWithoutAttempts(Rig rig) {
    rig.store().breakers().save(WORK, TOUCHY);
    Target target = new Target();
    JobType<String> other = JobType.of("other", String.class).handle((job, context) -> {});
    Sluice engine = rig.start(target.type(), other);
    List<UUID> jobs = enqueue(engine, 20, RetryingContract.SLOW);
    awaitState(rig, WORK, BreakerState.OPEN);
    List<UUID> flows = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      flows.add(engine.enqueue(Jobs.of("other", "x")).id());
    }
    rig.await(flows, JobState.COMPLETED);
    Eventually.await(
        "what was claimed is given back",
        () -> jobs.stream().noneMatch(job -> rig.find(job).state() == JobState.RUNNING));
    assertThat(target.calls).hasValueLessThan(20);
    assertThat(attempts(rig, jobs)).isEqualTo(target.failures.get());
    Eventually.await(
        "an event tells of it",
        () -> rig.heard().all().stream()
            .anyMatch(e -> e instanceof Event.BreakerChanged changed
                && changed.scope().equals(WORK)
                && changed.from() == BreakerState.CLOSED
                && changed.to() == BreakerState.OPEN
                && changed.reason().contains("calls failed")));
  }

  @Test
  default void breaker_triesAgain_andAllAreDoneOnceTheTargetIsWell(Rig rig) {
    rig.store().breakers().save(WORK, BRIEF);
    Target target = new Target();
    Sluice engine = rig.start(target.type());
    List<UUID> jobs = enqueue(engine, 10, RetryingContract.QUICK.withMaxAttempts(100));
    awaitState(rig, WORK, BreakerState.OPEN);
    Eventually.await("a probe fails", () -> target.failures.get() > 2);
    target.down.set(false);
    rig.await(jobs, JobState.COMPLETED);
    awaitState(rig, WORK, BreakerState.CLOSED);
    assertThat(attempts(rig, jobs))
        .as("two failures opened it; a probe that fails spends none")
        .isEqualTo(10 + 2);
  }

  @Test
  default void probes_areBounded_overTwoInstances(Rig rig) {
    JobStore another = rig.another();
    BreakerSettings two =
        TOUCHY.withTripDuration(Duration.ofMillis(500)).withHalfOpenMaxRequests(2);
    rig.store().breakers().save(WORK, two);
    CountDownLatch gate = rig.gate();
    AtomicInteger failed = new AtomicInteger();
    AtomicInteger probes = new AtomicInteger();
    JobType<Rig.Note> type = Rig.type().handle((job, context) -> {
      if (failed.incrementAndGet() <= 2) {
        throw new IOException("down");
      }
      probes.incrementAndGet();
      Rig.await(gate);
    });
    Sluice engine = rig.start(rig.engine().slots(1).handler(type));
    enqueue(engine, 2, RetryingContract.SLOW);
    awaitState(rig, WORK, BreakerState.OPEN);
    rig.start(rig.engine(another).slots(10).handler(type));
    rig.store().breakers().save(WORK, two.withTripDuration(Duration.ofHours(1)));
    List<UUID> jobs = enqueue(engine, 20, RetryingContract.SLOW);
    Eventually.await("both probes run", () -> probes.get() == 2);
    Puller.pull(engine, 5);
    assertThat(rig.store().breakers().find(WORK).orElseThrow().probes().granted())
        .isEqualTo(2);
    assertThat(probes).hasValue(2);
    gate.countDown();
    rig.await(jobs, JobState.COMPLETED);
    assertThat(state(rig, WORK)).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  default void instancesWithFewCallsEach_tripTogether(Rig rig) {
    JobStore another = rig.another();
    rig.store().breakers().save(WORK, TOUCHY.withMinimumCalls(4));
    Target target = new Target();
    Sluice one = rig.start(rig.engine().onlyQueues("default").handler(target.type()));
    rig.store().queues().save(QueueSettings.of("elsewhere"));
    rig.start(rig.engine(another).onlyQueues("elsewhere").handler(target.type()));
    for (int i = 0; i < 2; i++) {
      one.enqueue(Rig.job().retry(RetryingContract.SLOW));
      one.enqueue(Rig.job().queue("elsewhere").retry(RetryingContract.SLOW));
    }
    awaitState(rig, WORK, BreakerState.OPEN);
    assertThat(target.calls).hasValue(4);
  }

  @Test
  default void reset_letsJobsRun(Rig rig) {
    Breakers breakers = rig.store().breakers();
    breakers.save(WORK, TOUCHY);
    Target target = new Target();
    Sluice engine = rig.start(target.type());
    enqueue(engine, 2, RetryingContract.SLOW);
    awaitState(rig, WORK, BreakerState.OPEN);
    UUID waiting = engine.enqueue(Rig.job()).id();
    target.down.set(false);
    engine.breakers().reset(WORK);
    rig.await(waiting, JobState.COMPLETED);
  }

  @Test
  default void forcedOpen_holdsEverythingOfIt_andSurvivesARestart(Rig rig) {
    rig.store().breakers().forceOpen(WORK);
    Target target = new Target();
    target.down.set(false);
    JobType<String> other = JobType.of("other", String.class).handle((job, context) -> {});
    Sluice engine = rig.start(target.type(), other);
    UUID held = engine.enqueue(Rig.job()).id();
    rig.await(engine.enqueue(Jobs.of("other", "x")).id(), JobState.COMPLETED);
    engine.stop(Duration.ofSeconds(5));
    Sluice next = rig.start(target.type(), other);
    rig.await(next.enqueue(Jobs.of("other", "x")).id(), JobState.COMPLETED);
    assertThat(rig.find(held).state()).isEqualTo(JobState.PENDING);
    assertThat(target.calls).hasValue(0);
    next.breakers().reset(WORK);
    assertThat(rig.await(held, JobState.COMPLETED).attempt()).isEqualTo(1);
  }

  @Test
  default void slowCalls_countAsFailures(Rig rig) {
    rig.store().breakers().save(WORK, TOUCHY.withSlowCallThreshold(Duration.ofMillis(1)));
    Sluice engine = rig.start(Rig.type().slots(1).handle((job, context) -> {
      long end = System.nanoTime() + Duration.ofMillis(3).toNanos();
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
    }));
    enqueue(engine, 3, RetryingContract.SLOW);
    awaitState(rig, WORK, BreakerState.OPEN);
  }

  @Test
  default void refusals_areNoTroubleOfTheTarget(Rig rig) {
    rig.store().breakers().save(WORK, TOUCHY);
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      throw new IllegalArgumentException("not this one");
    }));
    List<UUID> jobs = enqueue(engine, 10, RetryingContract.SLOW);
    rig.await(jobs, JobState.DEAD);
    assertThat(state(rig, WORK)).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  default void pulledJobs_areHeldByTheSameBreaker(Rig rig) {
    rig.store().breakers().save(WORK, TOUCHY);
    Sluice desk = Puller.desk(rig);
    enqueue(desk, 6, RetryingContract.SLOW);
    for (int i = 0; i < 2; i++) {
      RemoteJob job = Puller.pullOne(desk);
      desk.remote().fail("default", job.lease(), Puller.failure(true));
    }
    awaitState(rig, WORK, BreakerState.OPEN);
    Eventually.await("nothing is handed out", () -> Puller.pull(desk, 1).isEmpty());
    desk.breakers().reset(WORK);
    Eventually.await("jobs are handed out again", () -> !Puller.pull(desk, 1).isEmpty());
  }

  /** A receiver that has too much of jobs with a limit key, and of none else. */
  private static JobType<Rig.Note> busy(AtomicInteger calls) {
    return Rig.type().handle((job, context) -> {
      if (job.lane().limitKey().isEmpty()) {
        return;
      }
      calls.incrementAndGet();
      throw new AttemptFailure(ErrorClass.RATE_LIMITED, "HTTP_429", "too many")
          .withAnswer(429, null)
          .withRetry(When.in(Duration.ofHours(1)));
    });
  }

  private static List<UUID> pushBack(Rig rig, Sluice engine, String key) {
    List<UUID> jobs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      jobs.add(engine.enqueue(grouped().limitKey(key)).id());
    }
    rig.await(jobs, JobState.RETRYING);
    return jobs;
  }

  @Test
  default void onePushback_delaysItsJobAlone_threeInARowTheirLane(Rig rig) {
    AtomicInteger calls = new AtomicInteger();
    Sluice engine = rig.start(rig.engine().slots(1).handler(busy(calls)));
    rig.await(engine.enqueue(grouped().limitKey("a")).id(), JobState.RETRYING);
    rig.await(engine.enqueue(grouped().limitKey("a")).id(), JobState.RETRYING);
    rig.await(engine.enqueue(grouped().limitKey("a")).id(), JobState.RETRYING);
    UUID held = engine.enqueue(grouped().limitKey("a")).id();
    rig.await(engine.enqueue(grouped()).id(), JobState.COMPLETED);
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    assertThat(calls).hasValue(3);
    assertThat(rig.find(held).attempt()).isZero();
    assertThat(engine.explain(held).orElseThrow().reasons())
        .anyMatch(reason -> reason.code() == ReasonCode.GROUP_HELD);
    assertThat(rig.store().breakers().find(GROUP).filter(b -> b.heldFor().isPositive()))
        .isEmpty();
  }

  @Test
  default void pushbackOfSeveralLanes_holdsTheWholeGroup_onEveryInstance(Rig rig) {
    JobStore another = rig.another();
    AtomicInteger calls = new AtomicInteger();
    Sluice engine = rig.start(rig.engine().slots(1).handler(busy(calls)));
    pushBack(rig, engine, "a");
    pushBack(rig, engine, "b");
    Eventually.await(
        "the group is held",
        () -> rig.store()
            .breakers()
            .find(GROUP)
            .filter(b -> b.heldFor().isPositive())
            .isPresent());
    Sluice second = rig.start(rig.engine(another).handler(busy(calls)));
    List<UUID> held = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      held.add(second.enqueue(grouped()).id());
    }
    rig.await(second.enqueue(Rig.job()).id(), JobState.COMPLETED);
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    assertThat(attempts(rig, held)).isZero();
    assertThat(calls).hasValue(6);
    assertThat(state(rig, GROUP)).isEqualTo(BreakerState.CLOSED);
  }

  private static JobRequest grouped() {
    return Rig.job().urlGroup("stripe");
  }
}
