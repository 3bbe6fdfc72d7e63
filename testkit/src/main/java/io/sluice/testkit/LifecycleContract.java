package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.EngineState;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Starting, draining and stopping. */
public interface LifecycleContract extends EngineTopic {
  private static Thread stopping(Sluice engine, Duration drain) {
    Thread thread = Thread.ofVirtual().start(() -> engine.stop(drain));
    Eventually.await("it is stopping", () -> engine.state() != EngineState.RUNNING);
    return thread;
  }

  private static void ended(Thread thread) {
    Eventually.await("the stop ends", () -> !thread.isAlive());
  }

  @Test
  default void secondStart_isAConflict_alsoAfterTheStop(Rig rig) {
    Sluice engine = rig.start(rig.engine().queue(QueueSettings.of("q")));
    engine.pause("q");
    Rig.refused(ErrorCode.CONFLICT, engine::start);
    assertThat(engine.queues().find("default", "q").orElseThrow().settings().paused())
        .as("the second start changes nothing")
        .isTrue();
    engine.stop(Duration.ZERO);
    Rig.refused(ErrorCode.CONFLICT, engine::start);
    assertThat(engine.state()).isEqualTo(EngineState.STOPPED);
  }

  @Test
  default void enqueue_beforeStartAndAfterStop_isRefused(Rig rig) {
    Sluice engine = rig.engine().build();
    Rig.refused(ErrorCode.SHUTDOWN_IN_PROGRESS, () -> engine.enqueue(Rig.job()));
    engine.start();
    engine.enqueue(Rig.job());
    engine.stop(Duration.ZERO);
    Rig.refused(ErrorCode.SHUTDOWN_IN_PROGRESS, () -> engine.enqueue(Rig.job()));
    engine.stop(Duration.ZERO);
  }

  @Test
  default void start_thatFails_canBeTriedAgain(Rig rig) {
    FlakyStore store = rig.flaky();
    Sluice engine =
        rig.engine(store).handler(Rig.type().handle((job, context) -> {})).build();
    for (String call : List.of("list", "register")) {
      store.onlyOn(call);
      store.failUntilMended();
      Rig.refused(ErrorCode.PERSISTENCE_FAILURE, engine::start);
      assertThat(engine.state()).isEqualTo(EngineState.STOPPED);
      store.mend();
    }
    engine.start();
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    engine.stop(Duration.ZERO);
  }

  @Test
  default void stop_waitsForRunningHandlers_andRefusesNewJobs(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      running.countDown();
      gate.await();
    }));
    UUID id = engine.enqueue(Rig.job()).id();
    Rig.await(running);
    Thread stop = stopping(engine, Duration.ofSeconds(20));
    assertThat(engine.state()).isEqualTo(EngineState.SHUTTING_DOWN);
    Rig.refused(ErrorCode.SHUTDOWN_IN_PROGRESS, () -> engine.enqueue(Rig.job()));
    gate.countDown();
    ended(stop);
    assertThat(rig.find(id).state()).isEqualTo(JobState.COMPLETED);
    assertThat(rig.heard().of(id)).contains(Event.Kind.COMPLETED);
    assertThat(rig.store().workers().live()).isEmpty();
  }

  @Test
  default void stop_withAllTheTimeInTheWorld_ends(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {}));
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    ended(stopping(engine, Duration.ofSeconds(Long.MAX_VALUE)));
    assertThat(engine.state()).isEqualTo(EngineState.STOPPED);
  }

  @Test
  default void promise8_interruptedByShutdown_isNotAnAttempt(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      running.countDown();
      gate.await();
    }));
    UUID id = engine.enqueue(Rig.job().maxAttempts(1)).id();
    Rig.await(running);
    engine.stop(Duration.ofMillis(50));
    JobRecord back = rig.find(id);
    assertThat(back.state()).isEqualTo(JobState.PENDING);
    assertThat(back.attempt()).isZero();
    assertThat(back.status().errors()).isEmpty();
  }

  @Test
  default void promise8_claimedButNotStarted_isNotAnAttempt(Rig rig) {
    CountDownLatch gate = rig.gate();
    Sluice engine =
        rig.start(rig.engine().slots(2).handler(Rig.type().handle((job, c) -> gate.await())));
    List<UUID> ids = engine.enqueueAll(Rig.jobs(50)).stream().map(Enqueued::id).toList();
    Eventually.await("two run", () -> engine.stats().work().running() == 2);
    engine.stop(Duration.ZERO);
    for (UUID id : ids) {
      assertThat(rig.find(id).state()).isEqualTo(JobState.PENDING);
      assertThat(rig.find(id).attempt()).isZero();
    }
  }

  @Test
  default void promise8_notIdempotent_interruptedByShutdown_isDead(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(Rig.type().idempotent(false).handle((job, context) -> {
      running.countDown();
      gate.await();
    }));
    UUID id = engine.enqueue(Rig.job()).id();
    Rig.await(running);
    engine.stop(Duration.ZERO);
    assertThat(rig.find(id).state()).isEqualTo(JobState.DEAD);
  }

  @Test
  default void promise5_handlerThatEndsWellInSpiteOfTheShutdown_isDone(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    AtomicInteger runs = new AtomicInteger();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      running.countDown();
      try {
        gate.await();
      } catch (InterruptedException e) {
        runs.incrementAndGet();
      }
    }));
    UUID id = engine.enqueue(Rig.job()).id();
    Rig.await(running);
    engine.stop(Duration.ZERO);
    assertThat(runs).hasValue(1);
    assertThat(rig.find(id).state()).isEqualTo(JobState.COMPLETED);
  }

  @Test
  default void stop_ofAnInterruptedCaller_givesJobsBack(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      running.countDown();
      gate.await();
    }));
    UUID id = engine.enqueue(Rig.job()).id();
    Rig.await(running);
    Thread stop = stopping(engine, Duration.ofMinutes(5));
    stop.interrupt();
    ended(stop);
    assertThat(rig.find(id).state()).isEqualTo(JobState.PENDING);
    assertThat(rig.find(id).attempt()).isZero();
    assertThat(engine.state()).isEqualTo(EngineState.STOPPED);
  }

  @Test
  default void longDrain_keepsTheLease(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    FlakyStore store = rig.flaky();
    Sluice engine = rig.start(rig.engine(store).handler(Rig.type().handle((job, context) -> {
      running.countDown();
      gate.await();
    })));
    rig.start(rig.engine().lease(Rig.SHORT_LEASE));
    UUID id = engine.enqueue(Rig.job()).id();
    Rig.await(running);
    Thread stop = stopping(engine, Duration.ofSeconds(20));
    int beats = store.calls("heartbeat");
    Eventually.await("heartbeats go on", () -> store.calls("heartbeat") >= beats + 5);
    assertThat(rig.find(id).state()).isEqualTo(JobState.RUNNING);
    gate.countDown();
    ended(stop);
    assertThat(rig.find(id).state()).isEqualTo(JobState.COMPLETED);
    assertThat(rig.find(id).attempt()).isEqualTo(1);
  }

  @Test
  default void promise2_stopUnderLoad_losesNothing_andNothingRunsTwice(Rig rig) {
    AtomicInteger runs = new AtomicInteger();
    Sluice first = rig.start(Rig.type().handle((job, context) -> runs.incrementAndGet()));
    List<UUID> ids = first.enqueueAll(Rig.jobs(2000)).stream().map(Enqueued::id).toList();
    Eventually.await("some are done", () -> runs.get() > 100);
    first.stop(Duration.ofSeconds(5));
    rig.start(rig.engine(rig.another())
        .handler(Rig.type().handle((job, context) -> runs.incrementAndGet())));
    rig.await(ids, JobState.COMPLETED);
    assertThat(runs).hasValue(2000);
  }
}
