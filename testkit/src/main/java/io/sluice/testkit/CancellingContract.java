package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.CancelResult;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.Retention;
import io.sluice.Sluice;
import io.sluice.WaitingJobs;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Cancelling, before and while a job runs. */
public interface CancellingContract extends EngineTopic {
  @Test
  default void cancel_whileWaiting_endsTheJobAtOnce(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {}));
    UUID id = engine.enqueue(Rig.job().delay(Duration.ofHours(1))).id();
    assertThat(engine.cancel(id, "changed my mind")).isEqualTo(CancelResult.CANCELLED);
    assertThat(rig.find(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(rig.find(id).status().reason()).isEqualTo("changed my mind");
    rig.heard().await(id, Event.Kind.CANCELLED);
  }

  @Test
  default void cancelWaiting_endsAllThatWaits_andKeepsItAsItsQueueSays(Rig rig) {
    Duration brief = Duration.ofMillis(1);
    Sluice engine = rig.start(rig.engine()
        .withoutWork()
        .queue(QueueSettings.of("brief").withRetention(new Retention(brief, brief))));
    UUID kept = engine.enqueue(Rig.job()).id();
    UUID forgotten = engine.enqueue(Rig.job().queue("brief")).id();
    UUID foreign = engine.enqueue(Rig.job().tenant("acme")).id();
    assertThat(engine.cancelWaiting(WaitingJobs.ofTenant("default"), "closed")).isEqualTo(2);
    assertThat(rig.find(kept).status().reason()).isEqualTo("closed");
    Eventually.await("it is forgotten", () -> rig.store().find(forgotten).isEmpty());
    assertThat(rig.find(foreign).state()).isEqualTo(JobState.PENDING);
    Rig.refused(
        ErrorCode.NOT_FOUND,
        () -> engine.cancelWaiting(WaitingJobs.ofQueue("default", "nowhere"), "closed"));
  }

  @Test
  default void cancel_whileRunning_interruptsTheHandler(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      running.countDown();
      try {
        gate.await();
      } catch (InterruptedException e) {
        interrupted.countDown();
        throw e;
      }
    }));
    UUID id = engine.enqueue(Rig.job()).id();
    Rig.await(running);
    assertThat(engine.cancel(id)).isEqualTo(CancelResult.CANCELLED);
    Rig.await(interrupted);
    assertThat(rig.find(id).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void promise3_lateResultOfACancelledJob_isRefused(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    AtomicBoolean ended = new AtomicBoolean();
    Sluice engine = rig.start(rig.engine().slots(1).handler(Rig.type().handle((job, context) -> {
      running.countDown();
      if (job.payload().text().equals("first")) {
        TimeoutContract.ignoreInterrupts(gate);
        context.result("too late");
        ended.set(true);
      }
    })));
    UUID id = engine.enqueue(Rig.job("first")).id();
    Rig.await(running);
    engine.cancel(id);
    gate.countDown();
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
    assertThat(ended).isTrue();
    assertThat(rig.find(id).state()).isEqualTo(JobState.CANCELLED);
    assertThat(rig.find(id).status().result()).isNull();
  }

  @Test
  default void cancel_onAnotherInstance_reachesTheHandler(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice worker = rig.start(Rig.type().handle((job, context) -> {
      running.countDown();
      try {
        gate.await();
      } finally {
        interrupted.countDown();
      }
    }));
    Sluice other = rig.start(rig.engine(rig.another()));
    UUID id = worker.enqueue(Rig.job()).id();
    Rig.await(running);
    assertThat(other.cancel(id)).isEqualTo(CancelResult.CANCELLED);
    Rig.await(interrupted);
  }

  @Test
  default void cancel_withTheWakeupLost_reachesTheHandlerByHeartbeat(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    FlakyStore deaf = rig.flaky();
    deaf.loseWakeups();
    rig.start(rig.engine(deaf).lease(Rig.SHORT_LEASE).handler(Rig.type().handle((job, context) -> {
      running.countDown();
      try {
        gate.await();
      } finally {
        interrupted.countDown();
      }
    })));
    Sluice other = rig.start(rig.engine());
    UUID id = other.enqueue(Rig.job()).id();
    Rig.await(running);
    other.cancel(id);
    Rig.await(interrupted);
    assertThat(rig.find(id).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void cancel_ofWhatIsOverOrUnknown_saysSo(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {}));
    UUID id = engine.enqueue(Rig.job()).id();
    rig.await(id, JobState.COMPLETED);
    assertThat(engine.cancel(id)).isEqualTo(CancelResult.ALREADY_FINISHED);
    assertThat(engine.cancel(new UUID(7, 7))).isEqualTo(CancelResult.NOT_FOUND);
    assertThat(rig.find(id).state()).isEqualTo(JobState.COMPLETED);
  }
}
