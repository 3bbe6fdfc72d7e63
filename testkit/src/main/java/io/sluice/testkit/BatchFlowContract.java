package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.BatchCounts;
import io.sluice.BatchRecord;
import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.CallbackOn;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobFilter;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.JobType;
import io.sluice.Jobs;
import io.sluice.Outcome;
import io.sluice.QueueSettings;
import io.sluice.RemoteJob;
import io.sluice.Result;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.store.ForwardingStore;
import io.sluice.store.Links;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Batches on a running engine: callbacks, jobs that add to their batch, batches in batches. */
public interface BatchFlowContract extends EngineTopic {
  String CALLBACK = "callback";

  private static JobRequest callback() {
    return Jobs.of(CALLBACK, new Rig.Note("over", 0));
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

  @Test
  default void callback_runsOnce_afterTheLastJob_andFindsTheCounts(Rig rig) {
    AtomicInteger done = new AtomicInteger();
    AtomicInteger doneBefore = new AtomicInteger();
    List<Result> results = new CopyOnWriteArrayList<>();
    Sluice engine = rig.start(
        Rig.type().answer((job, context) -> {
          done.incrementAndGet();
          return job.payload().text().equals("7") ? Outcome.dead("odd") : Outcome.done();
        }),
        JobType.of(CALLBACK, Rig.Note.class).handle((job, context) -> {
          doneBefore.addAndGet(done.get());
          results.addAll(context.results());
        }));
    BatchStarted started = engine.enqueue(batch(50).callback(callback()));
    assertThat(started.jobs()).hasSize(50);
    UUID callback = callbackOf(started);
    rig.await(callback, JobState.COMPLETED);
    assertThat(doneBefore).hasValue(50);
    assertThat(results)
        .containsExactly(new Result(
            "night run",
            started.id(),
            JobState.DEAD,
            "{\"total\":50,\"completed\":49,\"failed\":1,\"cancelled\":0}"));
    assertThat(over(rig, started.id()).counts()).isEqualTo(new BatchCounts(50, 49, 1, 0));
    rig.heard().await(callback, Event.Kind.ENQUEUED);
    rig.heard().await(started.jobs().getLast().id(), Event.Kind.ENQUEUED);
  }

  @Test
  default void callback_goesByWhatIsSaidOfIt(Rig rig) {
    Sluice engine = rig.start(
        Rig.type()
            .answer((job, context) ->
                job.payload().text().equals("1") ? Outcome.dead("odd") : Outcome.done()),
        JobType.of(CALLBACK, Rig.Note.class).handle((job, context) -> {}));
    BatchStarted good = engine.enqueue(batch(1).callback(callback(), CallbackOn.FAILURE));
    assertThat(rig.await(callbackOf(good), JobState.CANCELLED).status().reason())
        .isEqualTo("all that it waits for completed");
    BatchStarted bad = engine.enqueue(batch(2).callback(callback(), CallbackOn.SUCCESS));
    assertThat(rig.await(callbackOf(bad), JobState.CANCELLED).status().reason())
        .isEqualTo("batch " + bad.id() + ", which it waits for, failed");
    BatchStarted failed = engine.enqueue(batch(2).callback(callback(), CallbackOn.FAILURE));
    rig.await(callbackOf(failed), JobState.COMPLETED);
  }

  private static UUID callbackOf(BatchStarted started) {
    return Optional.ofNullable(started.callback()).orElseThrow();
  }

  @Test
  default void knownKey_answersTheBatch_andTellsNobody(Rig rig) {
    Sluice engine = rig.start(rig.engine().withoutWork());
    BatchStarted first = engine.enqueue(batch(2).idempotencyKey("k"));
    BatchStarted second = engine.enqueue(batch(2).idempotencyKey("k"));
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.duplicate()).isTrue();
    assertThat(second.jobs())
        .isEqualTo(first.jobs().stream()
            .map(job -> new Enqueued(job.id(), job.state(), true))
            .toList());
    rig.heard().await(engine.enqueue(Rig.job()).id(), Event.Kind.ENQUEUED);
    assertThat(rig.heard().count(Event.Kind.ENQUEUED)).isEqualTo(3);
  }

  @Test
  default void knownKey_answersNoJobs_whereTheyAreNotThoseOfTheCall(Rig rig) {
    Sluice engine = rig.start(rig.engine().withoutWork());
    BatchStarted first = engine.enqueue(batch(2).open().idempotencyKey("k"));
    assertThat(engine.enqueue(batch(3).idempotencyKey("k")).jobs()).isEmpty();
    assertThat(engine.enqueue(batch(1).idempotencyKey("k")).jobs()).isEmpty();
    engine.batches().add(first.id(), List.of(Rig.job()));
    assertThat(engine.enqueue(batch(2).idempotencyKey("k")).jobs()).isEmpty();
    assertThat(engine.page(JobFilter.all().inBatch(first.id()), null, 10).items())
        .hasSize(3);
  }

  @Test
  default void handler_addsToItsBatch_whichEndsAfterThem(Rig rig) {
    Sluice engine = rig.start(
        Rig.type().handle((job, context) -> {
          int depth = job.payload().number();
          if (depth < 4) {
            context.addToBatch(List.of(deeper(depth), deeper(depth)));
          }
        }),
        JobType.of(CALLBACK, Rig.Note.class).handle((job, context) -> {}));
    BatchRequest batch = BatchRequest.named("tree").callback(callback(), CallbackOn.SUCCESS);
    batch.add(Rig.job());
    BatchStarted started = engine.enqueue(batch);
    rig.await(callbackOf(started), JobState.COMPLETED);
    assertThat(over(rig, started.id()).counts()).isEqualTo(new BatchCounts(15, 15, 0, 0));
  }

  private static JobRequest deeper(int depth) {
    return Jobs.of(Rig.TYPE, new Rig.Note("deeper", depth + 1));
  }

  @Test
  default void handler_startsABatchInItsOwn_whichEndsAfterIt(Rig rig) {
    AtomicReference<BatchStarted> inner = new AtomicReference<>();
    Sluice engine = rig.start(
        Rig.type().handle((job, context) -> {
          if (job.payload().text().equals("hello")) {
            inner.set(context.startBatch(batch(3).callback(callback())));
          }
        }),
        JobType.of(CALLBACK, Rig.Note.class).handle((job, context) -> {}));
    BatchRequest outer = BatchRequest.named("outer").callback(callback());
    outer.add(Rig.job("hello"));
    BatchStarted started = engine.enqueue(outer);
    rig.await(callbackOf(started), JobState.COMPLETED);
    BatchRecord nested = over(rig, inner.get().id());
    assertThat(nested.parent()).isEqualTo(started.id());
    assertThat(nested.counts()).isEqualTo(new BatchCounts(3, 3, 0, 0));
    assertThat(over(rig, started.id()).counts()).isEqualTo(new BatchCounts(2, 2, 0, 0));
    rig.await(callbackOf(inner.get()), JobState.COMPLETED);
  }

  @Test
  default void handlerOfAJobInNoBatch_isToldSo(Rig rig) {
    AtomicReference<SluiceException> thrown = new AtomicReference<>();
    Sluice engine = rig.start(Rig.type()
        .handle((job, context) ->
            thrown.set(Rig.refused(ErrorCode.CONFLICT, () -> context.addToBatch(Rig.jobs(1))))));
    UUID id = engine.enqueue(Rig.job()).id();
    rig.await(id, JobState.COMPLETED);
    assertThat(thrown.get()).hasMessageContaining("job " + id + " is in no batch");
  }

  @Test
  default void handlerThatLostItsJob_addsNothing(Rig rig) {
    AtomicReference<SluiceException> thrown = new AtomicReference<>();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch refused = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      running.countDown();
      TimeoutContract.ignoreInterrupts(gate);
      thrown.set(Rig.refused(ErrorCode.LEASE_LOST, () -> context.addToBatch(Rig.jobs(1))));
      refused.countDown();
    }));
    BatchStarted started = engine.enqueue(batch(1).open());
    Rig.await(running);
    engine.cancel(started.jobs().getFirst().id());
    gate.countDown();
    Rig.await(refused);
    assertThat(rig.store().links().find(started.id()).orElseThrow().counts().total())
        .isEqualTo(1);
  }

  @Test
  default void openBatch_takesJobs_untilItIsClosed(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {}));
    UUID batch = engine.enqueue(BatchRequest.named("open").open()).id();
    List<Enqueued> added = engine.batches().add(batch, Rig.jobs(3));
    rig.await(added.stream().map(Enqueued::id).toList(), JobState.COMPLETED);
    rig.heard().await(added.getLast().id(), Event.Kind.ENQUEUED);
    assertThat(engine.batches().find(batch).orElseThrow().isOver()).isFalse();
    assertThat(engine.batches().close(batch)).isTrue();
    assertThat(engine.batches().close(batch)).isFalse();
    assertThat(over(rig, batch).counts()).isEqualTo(new BatchCounts(3, 3, 0, 0));
    Rig.refused(ErrorCode.CONFLICT, () -> engine.batches().add(batch, Rig.jobs(1)));
    Rig.refused(ErrorCode.NOT_FOUND, () -> engine.batches().add(new UUID(7, 7), Rig.jobs(1)));
  }

  @Test
  default void jobs_mayNotWaitForABatchTheyAreIn(Rig rig) {
    Sluice engine = rig.start(rig.engine().withoutWork());
    UUID outer = engine.enqueue(BatchRequest.named("outer").open()).id();
    UUID inner = engine.enqueue(BatchRequest.named("inner").open().in(outer)).id();
    for (UUID batch : List.of(outer, inner)) {
      List<JobRequest> jobs = List.of(Rig.job(), Rig.job().after(batch));
      assertThat(Rig.refused(ErrorCode.INVALID_MESSAGE, () -> engine.batches().add(inner, jobs)))
          .hasMessageContaining("jobs[1].after must not name");
    }
    BatchRequest nested = BatchRequest.named("nested").in(inner);
    nested.add(Rig.job().after(outer));
    Rig.refused(ErrorCode.INVALID_MESSAGE, () -> engine.enqueue(nested));
    assertThat(engine.batches().add(outer, List.of(Rig.job().after(inner)))).hasSize(1);
  }

  @Test
  default void fullQueue_refusesABatch_andSaysWhenToComeBack(Rig rig) {
    Sluice engine =
        rig.start(rig.engine().withoutWork().queue(QueueSettings.of("small").withMaxSize(2L)));
    BatchRequest batch = BatchRequest.named("much");
    Rig.jobs(3).forEach(job -> batch.add(job.queue("small")));
    assertThat(Rig.refused(ErrorCode.QUEUE_FULL, () -> engine.enqueue(batch)).retryAfter())
        .isPresent();
    assertThat(engine.batches().list("default", null, 10)).isEmpty();
  }

  @Test
  default void remoteWorker_addsToTheBatchOfItsJob(Rig rig) {
    Sluice engine = Puller.desk(rig);
    BatchStarted started = engine.enqueue(batch(1));
    RemoteJob held = Puller.pullOne(engine);
    assertThat(engine.remote().addToBatch("default", held.lease(), Rig.jobs(2))).hasSize(2);
    BatchStarted inner = engine.remote().startBatch("default", held.lease(), batch(1));
    assertThat(rig.store().links().find(inner.id()).orElseThrow().parent()).isEqualTo(started.id());
    engine.remote().complete("default", held.lease(), null);
    assertThat(rig.store().links().find(started.id()).orElseThrow().counts())
        .isEqualTo(new BatchCounts(4, 1, 0, 0));
    Rig.refused(
        ErrorCode.LEASE_LOST,
        () -> engine.remote().addToBatch("default", held.lease(), Rig.jobs(1)));
    Rig.refused(
        ErrorCode.NOT_FOUND, () -> engine.remote().addToBatch("acme", held.lease(), Rig.jobs(1)));
  }

  @Test
  default void engineThatDoesTheChores_endsBatchesThatOthersDidNot(Rig rig) {
    AtomicInteger asked = new AtomicInteger();
    rig.start(rig.engine(new ForwardingStore(rig.another()) {
          @Override
          public Links links() {
            asked.incrementAndGet();
            return super.links();
          }
        })
        .withoutWork());
    Eventually.await("it looks by itself", () -> asked.get() > 1);
  }
}
