package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ErrorClass;
import io.sluice.Event;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.JobType;
import io.sluice.Jobs;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What happens to handlers that take too long. */
public interface TimeoutContract extends EngineTopic {
  Duration SHORT = Duration.ofMillis(100);

  /** Waits for the gate, whatever interrupts it. */
  static void ignoreInterrupts(CountDownLatch gate) {
    boolean open = false;
    while (!open) {
      try {
        gate.await();
        open = true;
      } catch (InterruptedException e) {
        // The whole point of this handler.
      }
    }
  }

  @Test
  default void handlerWithOvertime_isNotInterruptedAtItsTimeout(Rig rig) {
    JobType<Rig.Note> type = Rig.type()
        .timeout(Duration.ofMillis(50))
        .overtime(Duration.ofHours(1))
        .handle((job, context) -> {
          long late = System.nanoTime() + Duration.ofMillis(400).toNanos();
          Eventually.await("its timeout has long passed", () -> System.nanoTime() - late > 0);
        });
    rig.await(rig.start(type).enqueue(Rig.job()).id(), JobState.COMPLETED);
  }

  @Test
  default void timeout_interruptsTheHandler_andIsAFailureOfItsOwnCode(Rig rig) {
    CountDownLatch gate = rig.gate();
    AtomicReference<Throwable> seen = new AtomicReference<>();
    AtomicReference<Boolean> over = new AtomicReference<>();
    Sluice engine = rig.start(Rig.type().timeout(SHORT).handle((job, context) -> {
      try {
        gate.await();
      } catch (InterruptedException e) {
        seen.set(e);
        over.set(context.isOver());
        throw e;
      }
    }));
    JobRecord dead = rig.await(engine.enqueue(Rig.job().maxAttempts(1)).id(), JobState.DEAD);
    assertThat(seen.get()).isInstanceOf(InterruptedException.class);
    assertThat(over.get()).isTrue();
    assertThat(dead.status().errors().getFirst().code()).isEqualTo("MESSAGE_TIMEOUT");
    assertThat(dead.status().errors().getFirst().errorClass()).isEqualTo(ErrorClass.TIMEOUT);
  }

  @Test
  default void timeout_isRetried(Rig rig) {
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(Rig.type().timeout(SHORT).handle((job, context) -> {
      if (job.attempt() == 1) {
        gate.await();
      }
    }));
    // On a busy machine even a handler that does nothing may take too long, now and then.
    UUID id = engine
        .enqueue(Rig.job().retry(RetryingContract.QUICK.withMaxAttempts(20)))
        .id();
    assertThat(rig.await(id, JobState.COMPLETED).attempt()).isGreaterThan(1);
  }

  @Test
  default void timeout_ofTheJobComesFirst_thenTheTypes_thenTheQueues(Rig rig) {
    CountDownLatch gate = rig.gate();
    Duration day = Duration.ofDays(1);
    Sluice engine = rig.start(rig.engine()
        .queue(QueueSettings.of("short").withTimeout(SHORT))
        .queue(QueueSettings.of("long").withTimeout(day))
        .handler(Rig.type().handle((job, context) -> gate.await()))
        .handler(JobType.of("typed", Rig.Note.class)
            .timeout(SHORT)
            .handle((job, context) -> gate.await())));
    UUID ofQueue = engine.enqueue(Rig.job().queue("short").maxAttempts(1)).id();
    UUID ofJob =
        engine.enqueue(Rig.job().queue("long").timeout(SHORT).maxAttempts(1)).id();
    UUID ofType = engine
        .enqueue(Jobs.of("typed", new Rig.Note("", 0)).queue("long").maxAttempts(1))
        .id();
    rig.await(ofQueue, JobState.DEAD);
    rig.await(ofJob, JobState.DEAD);
    rig.await(ofType, JobState.DEAD);
  }

  @Test
  default void timeout_coversTheCheckOfThePayload(Rig rig) {
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(
        Rig.type().timeout(SHORT).validate(note -> gate.await()).handle((job, context) -> {}));
    JobRecord dead = rig.await(engine.enqueue(Rig.job().maxAttempts(1)).id(), JobState.DEAD);
    assertThat(dead.status().errors().getFirst().code()).isEqualTo("MESSAGE_TIMEOUT");
  }

  @Test
  default void timeout_beyondAllMeasure_stopsNoClock(Rig rig) {
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(
        JobType.of("endless", Rig.Note.class)
            .timeout(Duration.ofSeconds(Long.MAX_VALUE))
            .handle((job, context) -> gate.await()),
        Rig.type().timeout(SHORT).handle((job, context) -> gate.await()));
    UUID endless = engine.enqueue(Jobs.of("endless", new Rig.Note("", 0))).id();
    rig.await(endless, JobState.RUNNING);
    rig.await(engine.enqueue(Rig.job().maxAttempts(1)).id(), JobState.DEAD);
  }

  @Test
  default void handlerThatIgnoresItsInterruption_losesItsSlot_andIsNamed(Rig rig) {
    CountDownLatch gate = rig.gate();
    Sluice engine =
        rig.start(rig.engine().slots(1).handler(Rig.type().timeout(SHORT).handle((job, context) -> {
          if (job.payload().text().equals("stuck")) {
            ignoreInterrupts(gate);
          }
        })));
    UUID stuck = engine.enqueue(Rig.job("stuck").maxAttempts(1)).id();
    UUID next = engine.enqueue(Rig.job()).id();
    rig.await(next, JobState.COMPLETED);
    assertThat(rig.await(stuck, JobState.DEAD).status().errors())
        .extracting("code")
        .containsExactly("MESSAGE_TIMEOUT");
    rig.heard().await(stuck, Event.Kind.STUCK);
    assertThat(engine.health().healthy()).isFalse();
    assertThat(engine.health().problems()).anyMatch(p -> p.startsWith("stuck handlers: 1"));
    gate.countDown();
    Eventually.await("the stuck one is let off", () -> engine.health().healthy());
  }
}
