package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Batch;
import io.sluice.Enqueued;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Outcome;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** Handlers that take many jobs at once. */
public interface BatchContract extends EngineTopic {
  /** Enqueues while the queue is paused, so that they are claimed together. */
  private static List<UUID> together(Sluice engine, List<JobRequest> jobs) {
    engine.pause("batch");
    List<UUID> ids = engine.enqueueAll(jobs.stream().map(j -> j.queue("batch")).toList()).stream()
        .map(Enqueued::id)
        .toList();
    engine.resume("batch");
    return ids;
  }

  private static Sluice start(Rig rig, int size, io.sluice.BatchHandler<Rig.Note> handler) {
    return rig.start(rig.engine()
        .slots(1)
        .queue(QueueSettings.of("batch"))
        .handler(Rig.type().retry(RetryingContract.SLOW).batch(size, handler)));
  }

  @Test
  default void batch_isBoundedAndTakesAllThereIs(Rig rig) {
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    Sluice engine = start(rig, 10, batch -> sizes.add(batch.jobs().size()));
    List<UUID> ids = together(engine, Rig.jobs(35));
    rig.await(ids, JobState.COMPLETED);
    assertThat(sizes).allMatch(s -> s <= 10).hasSizeLessThanOrEqualTo(8);
    assertThat(sizes.stream().mapToInt(s -> s).sum()).isEqualTo(35);
  }

  @Test
  default void batch_eachJobHasItsOwnOutcomeAndResult(Rig rig) {
    Sluice engine = start(
        rig,
        10,
        batch -> batch.jobs().forEach(job -> {
          switch (job.payload().text()) {
            case "0" -> batch.answer(job, Outcome.dead("odd one out"));
            case "1" -> batch.answer(job, Outcome.snooze(Duration.ofHours(1)));
            case "2" -> batch.answer(job, Outcome.retryIn(Duration.ofHours(1), "busy"));
            case "3" -> batch.answer(job, Outcome.cancel("no"));
            case "4" -> batch.context(job).result(4);
            default -> {}
          }
        }));
    List<UUID> ids = together(engine, Rig.jobs(6));
    rig.await(ids.get(0), JobState.DEAD);
    rig.await(ids.get(1), JobState.SCHEDULED);
    rig.await(ids.get(2), JobState.RETRYING);
    rig.await(ids.get(3), JobState.CANCELLED);
    assertThat(rig.await(ids.get(4), JobState.COMPLETED).status().result()).isEqualTo("4");
    rig.await(ids.get(5), JobState.COMPLETED);
  }

  @Test
  default void promise9_oneBadPayload_leavesTheBatchAlone(Rig rig) {
    List<Integer> sizes = new CopyOnWriteArrayList<>();
    Sluice engine = start(rig, 10, batch -> sizes.add(batch.jobs().size()));
    List<JobRequest> jobs = new ArrayList<>(Rig.jobs(4));
    jobs.add(2, Jobs.raw(Rig.TYPE, "[]"));
    List<UUID> ids = together(engine, jobs);
    rig.await(ids.get(2), JobState.DEAD);
    for (int i : List.of(0, 1, 3, 4)) {
      rig.await(ids.get(i), JobState.COMPLETED);
    }
    assertThat(sizes.stream().mapToInt(s -> s).sum()).isEqualTo(4);
  }

  @Test
  default void promise9_oneRefusedWithAnError_leavesTheBatchAlone(Rig rig) {
    Sluice engine = rig.start(rig.engine()
        .slots(1)
        .queue(QueueSettings.of("batch"))
        .handler(Rig.type()
            .validate(note -> {
              if (note.text().equals("1")) {
                throw new AssertionError("refused");
              }
            })
            .batch(10, batch -> {})));
    List<JobRequest> jobs = Rig.jobs(3);
    jobs.forEach(j -> j.maxAttempts(1));
    List<UUID> ids = together(engine, jobs);
    rig.await(ids.get(1), JobState.DEAD);
    rig.await(List.of(ids.get(0), ids.get(2)), JobState.COMPLETED);
  }

  @Test
  default void batch_thatThrows_failsWhatWasNotAnswered(Rig rig) {
    Sluice engine = start(rig, 10, batch -> {
      batch.answer(batch.jobs().getFirst(), Outcome.done());
      throw new IOException("half way");
    });
    List<UUID> ids = together(engine, Rig.jobs(3));
    rig.await(ids.get(0), JobState.COMPLETED);
    rig.await(ids.subList(1, 3), JobState.RETRYING);
  }

  @Test
  default void promise9_onErrorThatThrows_leavesAnsweredJobsAlone(Rig rig) {
    Sluice engine = rig.start(rig.engine()
        .slots(1)
        .queue(QueueSettings.of("batch"))
        .handler(Rig.type()
            .retry(RetryingContract.SLOW)
            .onError((job, error) -> {
              throw new AssertionError("broken hook");
            })
            .batch(10, batch -> {
              batch.answer(batch.jobs().getLast(), Outcome.done());
              throw new IOException("half way");
            })));
    List<UUID> ids = together(engine, Rig.jobs(2));
    rig.await(ids.get(1), JobState.COMPLETED);
    rig.await(ids.get(0), JobState.RETRYING);
  }

  @Test
  default void cancel_ofOne_leavesTheOthersRunning(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = start(rig, 10, batch -> {
      running.countDown();
      gate.await();
    });
    List<UUID> ids = together(engine, Rig.jobs(3));
    Rig.await(running);
    engine.cancel(ids.get(1));
    gate.countDown();
    rig.await(List.of(ids.get(0), ids.get(2)), JobState.COMPLETED);
    assertThat(rig.find(ids.get(1)).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void cancel_ofAll_interruptsTheBatch(Rig rig) {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = start(rig, 10, batch -> {
      running.countDown();
      try {
        gate.await();
      } finally {
        interrupted.countDown();
      }
    });
    List<UUID> ids = together(engine, Rig.jobs(2));
    Rig.await(running);
    ids.forEach(engine::cancel);
    Rig.await(interrupted);
  }

  @Test
  default void stuckBatch_losesItsSlot_alsoWithABadPayloadInIt(Rig rig) {
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(rig.engine()
        .slots(1)
        .queue(QueueSettings.of("batch"))
        .handler(Rig.type().timeout(TimeoutContract.SHORT).batch(10, batch -> {
          if (isStuck(batch)) {
            TimeoutContract.ignoreInterrupts(gate);
          }
        })));
    List<UUID> ids = together(
        engine,
        List.of(Rig.job("stuck").maxAttempts(1), Jobs.raw(Rig.TYPE, "[]").maxAttempts(1)));
    rig.await(ids, JobState.DEAD);
    rig.await(engine.enqueue(Rig.job()).id(), JobState.COMPLETED);
  }

  private static boolean isStuck(Batch<Rig.Note> batch) {
    return batch.jobs().stream().anyMatch(j -> j.payload().text().equals("stuck"));
  }
}
