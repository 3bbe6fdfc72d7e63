package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.AfterPolicy;
import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.CancelResult;
import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Outcome;
import io.sluice.ReasonCode;
import io.sluice.RemoteJob;
import io.sluice.Result;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.Step;
import io.sluice.store.ForwardingStore;
import io.sluice.store.Links;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Jobs that wait for others, as handlers and users see them. */
public interface WorkflowContract extends EngineTopic {
  /** An engine whose jobs leave their text as a result, and die when their text is in the set. */
  private static Sluice start(Rig rig, Set<String> dying, List<String> ran) {
    return rig.start(Rig.type().answer((job, context) -> {
      String text = job.payload().text();
      ran.add(text);
      return dying.contains(text) ? Outcome.dead("as asked") : Outcome.done(text);
    }));
  }

  private static List<UUID> ids(BatchStarted started) {
    return started.jobs().stream().map(job -> job.id()).toList();
  }

  @Test
  default void chain_runsInOrder(Rig rig) {
    List<String> ran = new CopyOnWriteArrayList<>();
    Sluice engine = start(rig, Set.of(), ran);
    BatchStarted chain = engine.enqueue(
        BatchRequest.chain("chain", Rig.job("a"), Rig.job("b"), Rig.job("c"), Rig.job("d")));
    rig.await(ids(chain), JobState.COMPLETED);
    assertThat(ran).containsExactly("a", "b", "c", "d");
    rig.heard().await(chain.jobs().getLast().id(), Event.Kind.ENQUEUED);
  }

  @Test
  default void results_areThoseOfPredecessors_inTheOrderNamed(Rig rig) {
    List<Result> seen = new CopyOnWriteArrayList<>();
    Sluice engine = rig.start(Rig.type().answer((job, context) -> {
      seen.addAll(context.results());
      return job.payload().text().equals("b")
          ? Outcome.dead("no")
          : Outcome.done(Map.of("from", job.payload().text()));
    }));
    UUID before = engine.enqueue(Rig.job("before")).id();
    rig.await(before, JobState.COMPLETED);
    BatchRequest graph = BatchRequest.named("graph");
    graph.add("a", Rig.job("a"));
    graph.add("b", Rig.job("b"));
    graph.add("d", Rig.job("d").after("before", before)).after("b", "a").otherwise(AfterPolicy.RUN);
    List<UUID> ids = ids(engine.enqueue(graph));
    rig.await(ids.getLast(), JobState.COMPLETED);
    assertThat(seen)
        .containsExactly(
            new Result("before", before, JobState.COMPLETED, "{\"from\":\"before\"}"),
            new Result("b", ids.get(1), JobState.DEAD, null),
            new Result("a", ids.get(0), JobState.COMPLETED, "{\"from\":\"a\"}"));
  }

  @Test
  default void results_areReadOnce_andOnlyWhereThereArePredecessors(Rig rig) {
    AtomicInteger reads = new AtomicInteger();
    ForwardingStore counting = new ForwardingStore(rig.another()) {
      @Override
      public Links links() {
        reads.incrementAndGet();
        return super.links();
      }
    };
    AtomicInteger inHandler = new AtomicInteger();
    Sluice engine =
        rig.start(rig.engine(counting).withoutDuties().handler(Rig.type().handle((job, context) -> {
          int before = reads.get();
          assertThat(context.results()).isEqualTo(context.results());
          inHandler.addAndGet(reads.get() - before);
        })));
    UUID first = engine.enqueue(Rig.job()).id();
    rig.await(first, JobState.COMPLETED);
    assertThat(inHandler).hasValue(0);
    rig.await(engine.enqueue(Rig.job().after(first)).id(), JobState.COMPLETED);
    assertThat(inHandler).hasValue(1);
  }

  @Test
  default void unknownPredecessor_isRefused(Rig rig) {
    Sluice engine = start(rig, Set.of(), new CopyOnWriteArrayList<>());
    UUID nobody = new UUID(7, 7);
    assertThat(Rig.refused(ErrorCode.NOT_FOUND, () -> engine.enqueue(Rig.job().after(nobody))))
        .hasMessageContaining("after: there is no job or batch " + nobody);
    BatchRequest graph = BatchRequest.named("graph");
    graph.add("a", Rig.job("a").after(nobody));
    Rig.refused(ErrorCode.NOT_FOUND, () -> engine.enqueue(graph));
  }

  @Test
  default void circle_isRefused_andNothingIsKept(Rig rig) {
    Sluice engine = start(rig, Set.of(), new CopyOnWriteArrayList<>());
    BatchRequest graph = BatchRequest.named("graph");
    graph.add("a", Rig.job()).after("b");
    graph.add("b", Rig.job()).after("a");
    assertThat(Rig.refused(ErrorCode.INVALID_MESSAGE, () -> engine.enqueue(graph)))
        .hasMessageContaining("a waits for b, which waits for a");
    assertThat(engine.batches().list("default", null, 10)).isEmpty();
  }

  @Test
  default void graphAtTheMostLinksOfACall_isTaken_andOneBeyondIsRefusedWhole(Rig rig) {
    Sluice engine = rig.start(rig.engine().withoutWork());
    int width = 316;
    BatchRequest graph = layers(width);
    assertThat(engine.enqueue(graph).jobs()).hasSize(2 * width);
    graph.add("more", Rig.job()).after(names(Defaults.MAX_LINKS - width * width));
    assertThat(engine.enqueue(graph).jobs()).hasSize(2 * width + 1);
    graph.add("beyond", Rig.job()).after("a0");
    assertThat(Rig.refused(ErrorCode.TOO_LARGE, () -> engine.enqueue(graph)))
        .hasMessageContaining("jobs must wait for at most 100000 others in one call");
    assertThat(engine.batches().list("default", null, 10)).hasSize(2);
  }

  /** So many jobs that each wait for so many others. */
  private static BatchRequest layers(int width) {
    BatchRequest graph = BatchRequest.named("layers");
    for (int i = 0; i < width; i++) {
      graph.add("a" + i, Rig.job());
    }
    for (int i = 0; i < width; i++) {
      graph.add("b" + i, Rig.job()).after(names(width));
    }
    return graph;
  }

  private static String[] names(int n) {
    return IntStream.range(0, n).mapToObj(i -> "a" + i).toArray(String[]::new);
  }

  @Test
  default void cancelAll_endsWhatWaits_whateverItsPolicy(Rig rig) {
    Map<String, Boolean> ran = new ConcurrentHashMap<>();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch gate = rig.gate();
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {
      ran.put(job.payload().text(), true);
      running.countDown();
      gate.await();
    }));
    BatchRequest graph = BatchRequest.named("graph");
    Step a = graph.add("a", Rig.job("a"));
    Step run = graph.add("run", Rig.job("run")).after(a).otherwise(AfterPolicy.RUN);
    graph.add("failed", Rig.job("failed")).after(a).otherwise(AfterPolicy.IF_FAILED);
    graph.add("held", Rig.job("held")).after(run).otherwise(AfterPolicy.HOLD);
    graph.add("last", Rig.job("last")).after("held", "failed").otherwise(AfterPolicy.RUN);
    List<UUID> ids = ids(engine.enqueue(graph));
    Rig.await(running);
    assertThat(engine.cancelAll(ids.getFirst(), "all of it")).isEqualTo(CancelResult.CANCELLED);
    for (UUID id : ids) {
      assertThat(rig.find(id).state()).isEqualTo(JobState.CANCELLED);
      assertThat(rig.find(id).status().reason())
          .isEqualTo(
              id.equals(ids.getFirst())
                  ? "all of it"
                  : "cancelled with job " + ids.getFirst() + ": all of it");
      rig.heard().await(id, Event.Kind.CANCELLED);
    }
    assertThat(ran.keySet()).containsExactly("a");
    assertThat(engine.cancelAll(ids.getFirst(), "again")).isEqualTo(CancelResult.ALREADY_FINISHED);
    assertThat(engine.cancelAll(new UUID(7, 7), "no")).isEqualTo(CancelResult.NOT_FOUND);
  }

  @Test
  default void cancel_withoutCascade_leavesOthersToTheirPolicies(Rig rig) {
    Sluice engine = rig.start(Rig.type().handle((job, context) -> {}));
    UUID first = engine.enqueue(Rig.job().delay(Duration.ofHours(1))).id();
    UUID follows = engine.enqueue(Rig.job().after(first)).id();
    UUID runs =
        engine.enqueue(Rig.job().after(first).afterPolicy(AfterPolicy.RUN)).id();
    assertThat(engine.cancel(first)).isEqualTo(CancelResult.CANCELLED);
    rig.await(runs, JobState.COMPLETED);
    assertThat(rig.await(follows, JobState.CANCELLED).status().reason())
        .isEqualTo("job " + first + ", which it waits for, is CANCELLED");
  }

  @Test
  default void replayAll_revivesWhatWasCancelledBecauseOfIt(Rig rig) {
    Set<String> dying = ConcurrentHashMap.newKeySet();
    dying.add("b");
    List<String> ran = new CopyOnWriteArrayList<>();
    Sluice engine = start(rig, dying, ran);
    List<UUID> ids = ids(engine.enqueue(
        BatchRequest.chain("chain", Rig.job("a"), Rig.job("b"), Rig.job("c"), Rig.job("d"))));
    rig.await(ids.get(1), JobState.DEAD);
    rig.await(ids.get(3), JobState.CANCELLED);
    assertThat(engine.replayAll(ids.getFirst())).as("a completed job").isFalse();
    dying.clear();
    assertThat(engine.replayAll(ids.get(1))).isTrue();
    rig.await(ids, JobState.COMPLETED);
    assertThat(ran).containsExactly("a", "b", "b", "c", "d");
  }

  @Test
  default void replay_withoutCascade_revivesNothing(Rig rig) {
    Set<String> dying = ConcurrentHashMap.newKeySet();
    dying.add("a");
    Sluice engine = start(rig, dying, new CopyOnWriteArrayList<>());
    List<UUID> ids = ids(engine.enqueue(BatchRequest.chain("c", Rig.job("a"), Rig.job("b"))));
    rig.await(ids.getLast(), JobState.CANCELLED);
    dying.clear();
    assertThat(engine.replay(ids.getFirst())).isTrue();
    rig.await(ids.getFirst(), JobState.COMPLETED);
    assertThat(rig.find(ids.getLast()).state()).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void heldJob_runsWhenAPersonLetsIt(Rig rig) {
    Sluice engine = start(rig, Set.of("a"), new CopyOnWriteArrayList<>());
    UUID held = held(rig, engine);
    assertThat(engine.replay(held)).isTrue();
    rig.await(held, JobState.COMPLETED);
  }

  @Test
  default void heldJob_runsWhenTheOneThatFailedIsReplayed(Rig rig) {
    Set<String> dying = ConcurrentHashMap.newKeySet();
    dying.add("a");
    Sluice engine = start(rig, dying, new CopyOnWriteArrayList<>());
    UUID held = held(rig, engine);
    dying.clear();
    UUID failed = rig.find(held).spec().ties().after().getFirst().id();
    assertThat(engine.replay(failed)).isTrue();
    rig.await(held, JobState.COMPLETED);
  }

  @Test
  default void deadLetterThatAHeldJobNames_isNotDeleted(Rig rig) {
    Sluice engine = start(rig, Set.of("a"), new CopyOnWriteArrayList<>());
    UUID held = held(rig, engine);
    UUID failed = rig.find(held).spec().ties().after().getFirst().id();
    assertThatThrownBy(() -> engine.deadLetters().delete(failed))
        .isInstanceOf(SluiceException.class)
        .hasMessage("CONFLICT: job " + failed + " is kept for job " + held
            + ", which names it in after and is not over: run or cancel that one first");
    assertThat(engine.deadLetters().deleteAll(JobFilter.all())).isZero();
    engine.cancel(held);
    assertThat(engine.deadLetters().delete(failed)).isTrue();
  }

  private static UUID held(Rig rig, Sluice engine) {
    UUID failed = engine.enqueue(Rig.job("a")).id();
    JobRequest second = Rig.job("b").after(failed).afterPolicy(AfterPolicy.HOLD);
    UUID held = engine.enqueue(second).id();
    rig.await(failed, JobState.DEAD);
    Eventually.await(
        "it is held",
        () -> engine.explain(held).orElseThrow().reasons().getFirst().code() == ReasonCode.HELD);
    JobRecord waiting = rig.find(held);
    assertThat(waiting.state()).isEqualTo(JobState.SCHEDULED);
    assertThat(waiting.status().runAt()).isNull();
    return held;
  }

  @Test
  default void remoteWorker_getsTheResultsOfPredecessors(Rig rig) {
    Sluice engine = Puller.desk(rig);
    UUID first = engine.enqueue(Rig.job("a")).id();
    engine.enqueue(Rig.job("b").after("a", first));
    RemoteJob a = Puller.pullOne(engine);
    assertThat(a.results()).isEmpty();
    engine.remote().complete("default", a.lease(), "{\"rows\":3}");
    RemoteJob b = Puller.got(Puller.waitFor(engine, 1)).getFirst();
    assertThat(b.results())
        .containsExactly(new Result("a", first, JobState.COMPLETED, "{\"rows\":3}"));
  }
}
