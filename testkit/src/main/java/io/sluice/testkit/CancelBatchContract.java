package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.BatchCounts;
import io.sluice.BatchRecord;
import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.CancelResult;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.QueueSettings;
import io.sluice.Retention;
import io.sluice.Sluice;
import io.sluice.Step;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** The end of a batch, or of all that waits for a job, by a person's hand. */
public interface CancelBatchContract extends EngineTopic {
  /** More than are ended in one write. */
  int MANY = 6_000;

  private static JobRequest callback() {
    return Jobs.of("callback", new Rig.Note("over", 0));
  }

  private static BatchRequest batch(int jobs) {
    BatchRequest batch = BatchRequest.named("night run");
    Rig.jobs(jobs).forEach(batch::add);
    return batch;
  }

  private static BatchRecord over(Rig rig, UUID batch) {
    Eventually.await(
        "batch " + batch + " is over",
        () -> rig.store().links().find(batch).orElseThrow().isOver());
    return rig.store().links().find(batch).orElseThrow();
  }

  private static List<UUID> ids(BatchStarted started) {
    return started.jobs().stream().map(Enqueued::id).toList();
  }

  @Test
  default void cancelOfABatch_endsAllThatIsInIt(Rig rig) {
    Sluice engine = rig.start(rig.engine().withoutWork());
    BatchRequest outer = BatchRequest.named("outer").open().callback(callback());
    outer.add("a", Rig.job());
    outer.add("b", Rig.job()).after("a");
    outer.add("c", Rig.job()).after("b");
    BatchStarted started = engine.enqueue(outer);
    BatchStarted inner = engine.enqueue(batch(2).in(started.id()));
    assertThat(engine.batches().cancel(started.id(), "stopped")).isEqualTo(5);
    for (UUID id : ids(started)) {
      assertThat(rig.find(id).status().reason()).isEqualTo("stopped");
      rig.heard().await(id, Event.Kind.CANCELLED);
    }
    assertThat(over(rig, inner.id()).counts()).isEqualTo(new BatchCounts(2, 0, 0, 2));
    assertThat(over(rig, started.id()).counts()).isEqualTo(new BatchCounts(4, 0, 0, 4));
    rig.await(Optional.ofNullable(started.callback()).orElseThrow(), JobState.PENDING);
    Rig.refused(ErrorCode.NOT_FOUND, () -> engine.batches().cancel(new UUID(7, 7), "no"));
  }

  @Test
  default void cancelOfABatch_keepsJobsAsTheirQueueSays(Rig rig) {
    Duration brief = Duration.ofMillis(1);
    Sluice engine = rig.start(rig.engine()
        .withoutWork()
        .queue(QueueSettings.of("brief").withRetention(new Retention(brief, brief))));
    BatchRequest batch = batch(1);
    batch.add("brief", Rig.job().queue("brief"));
    BatchStarted started = engine.enqueue(batch);
    assertThat(engine.batches().cancel(started.id(), "stopped")).isEqualTo(2);
    UUID forgotten = started.jobs().getLast().id();
    Eventually.await("it is forgotten", () -> rig.store().find(forgotten).isEmpty());
    assertThat(rig.find(started.jobs().getFirst().id()).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void cancelOfABatch_interruptsWhatRuns_andStartsNothing(Rig rig) {
    AtomicInteger ran = new AtomicInteger();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      ran.incrementAndGet();
      running.countDown();
      gate.await();
    }));
    BatchRequest graph = BatchRequest.named("graph");
    Step first = graph.add("first", Rig.job());
    graph.add("second", Rig.job()).after(first).otherwise(AfterPolicy.RUN);
    graph.add("third", Rig.job()).after("second").otherwise(AfterPolicy.IF_FAILED);
    BatchStarted started = engine.enqueue(graph);
    Rig.await(running);
    assertThat(engine.batches().cancel(started.id(), "stopped")).isEqualTo(3);
    for (UUID id : ids(started)) {
      assertThat(rig.find(id).status().reason()).isEqualTo("stopped");
      rig.heard().await(id, Event.Kind.CANCELLED);
    }
    assertThat(over(rig, started.id()).counts()).isEqualTo(new BatchCounts(3, 0, 0, 3));
    assertThat(ran).hasValue(1);
  }

  @Test
  default void cancelOfALargeBatch_countsEveryJob_alsoThatWhichWaitsForAllOthers(Rig rig) {
    Sluice engine = rig.start(rig.engine().withoutWork());
    BatchRequest fan = BatchRequest.named("fan-in");
    Step in = fan.add("in", Rig.job());
    for (int i = 1; i < MANY; i++) {
      in.after(fan.add("s" + i, Rig.job()));
    }
    BatchStarted started = engine.enqueue(fan);
    assertThat(engine.batches().cancel(started.id(), "stopped")).isEqualTo(MANY);
    assertThat(over(rig, started.id()).counts()).isEqualTo(new BatchCounts(MANY, 0, 0, MANY));
    assertThat(rig.find(started.jobs().getFirst().id()).status().reason()).isEqualTo("stopped");
    assertThat(engine.batches().cancel(started.id(), "again")).isZero();
  }

  @Test
  default void cancelOfALongChain_startsNothingInBetween(Rig rig) {
    Sluice engine = rig.start(rig.engine().withoutWork());
    List<UUID> ids = ids(engine.enqueue(chain()));
    assertThat(engine.cancelAll(ids.getFirst(), "stopped")).isEqualTo(CancelResult.CANCELLED);
    assertThat(List.of(1, 999, 1_000, 1_001, MANY - 1))
        .extracting(i -> String.valueOf(rig.find(ids.get(i)).status().reason()))
        .allMatch(reason -> reason.endsWith("stopped"));
    BatchStarted second = engine.enqueue(chain());
    assertThat(engine.batches().cancel(second.id(), "stopped")).isEqualTo(MANY);
    assertThat(rig.store().heads()).isEmpty();
  }

  private static BatchRequest chain() {
    BatchRequest chain = BatchRequest.named("chain");
    Step before = chain.add("s0", Rig.job());
    for (int i = 1; i < MANY; i++) {
      before = chain.add("s" + i, Rig.job()).after(before).otherwise(AfterPolicy.RUN);
    }
    return chain;
  }
}
