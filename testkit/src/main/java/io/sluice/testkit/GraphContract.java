package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.AfterPolicy;
import io.sluice.BatchStarted;
import io.sluice.Graph;
import io.sluice.JobState;
import io.sluice.Ordering;
import io.sluice.QueueSettings;
import io.sluice.Result;
import io.sluice.store.ClaimedJob;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What can be seen of jobs that hang together, and how they are let go or brought back by hand. */
public interface GraphContract extends StoreTopic {
  @Test
  default void graph_ofAJobByItself_isTheJob(Bench bench) {
    UUID job = bench.add();
    Graph graph = graph(bench, job, 10);
    assertThat(graph.edges()).isEmpty();
    assertThat(graph.cutOff()).isFalse();
    Graph.Node node = graph.nodes().getFirst();
    assertThat(graph.nodes()).hasSize(1);
    assertThat(node.id()).isEqualTo(job);
    assertThat(node.name()).isEqualTo(job.toString());
    assertThat(node.type()).isEqualTo(Draft.TYPE);
    assertThat(node.queue()).isEqualTo("default");
    assertThat(node.state()).isEqualTo(JobState.PENDING);
    assertThat(node.createdAt()).isEqualTo(bench.now());
    assertThat(node.isBatch()).isFalse();
  }

  @Test
  default void graph_ofAnUnknownJob_isNone(Bench bench) {
    assertThat(bench.links().graph(bench.id(), 10)).isEmpty();
  }

  @Test
  default void graph_showsAllThatHangsTogether_fromWhereverItIsLookedAt(Bench bench) {
    UUID a = bench.add(Draft.job().type("a"));
    UUID b = bench.add(Draft.job().type("b").after("start", a));
    UUID c = bench.add(Draft.job().type("c").after("start", a));
    UUID d = bench.add(
        Draft.job().type("d").after("left", b).after("right", c).policy(AfterPolicy.HOLD));
    UUID other = bench.add(Draft.job().type("other"));
    for (UUID from : List.of(a, b, c, d)) {
      Graph graph = graph(bench, from, 10);
      assertThat(graph.nodes())
          .extracting(Graph.Node::id, Graph.Node::name)
          .containsExactlyInAnyOrder(
              tuple(a, "start"), tuple(b, "left"), tuple(c, "right"), tuple(d, d.toString()));
      assertThat(graph.edges())
          .containsExactlyInAnyOrder(
              new Graph.Edge(a, b),
              new Graph.Edge(a, c),
              new Graph.Edge(b, d),
              new Graph.Edge(c, d));
      assertThat(graph.cutOff()).isFalse();
      assertThat(node(bench, d).policy()).isEqualTo(AfterPolicy.HOLD);
    }
    assertThat(graph(bench, other, 10).nodes()).hasSize(1);
  }

  @Test
  default void graph_countsWhatIsMissing_andWhatFailed(Bench bench) {
    UUID a = bench.add(Draft.job().type("a"));
    UUID b = bench.add(Draft.job().type("b"));
    UUID c = bench.add(Draft.job().type("c"));
    UUID d = bench.add(Draft.job().type("d").after(a, b, c).policy(AfterPolicy.HOLD));
    assertMissing(node(bench, d), 3, 0);
    bench.end(a, JobState.DEAD);
    assertMissing(node(bench, d), 2, 1);
    bench.end(b, JobState.COMPLETED);
    assertMissing(node(bench, d), 1, 1);
    bench.store().replay(a);
    assertMissing(node(bench, d), 2, 0);
    bench.end(a, JobState.DEAD);
    bench.end(c, JobState.CANCELLED);
    assertMissing(node(bench, d), 0, 2);
  }

  private static void assertMissing(Graph.Node node, int missing, int failed) {
    assertThat(node.missing()).as("missing").isEqualTo(missing);
    assertThat(node.failed()).as("failed").isEqualTo(failed);
  }

  @Test
  default void graph_showsWhenJobsRan_alsoOnceAllAreOver(Bench bench) {
    UUID a = bench.add();
    UUID b = bench.add(Draft.job().type("b").after(a));
    bench.advance(Duration.ofSeconds(1));
    ClaimedJob first = bench.claim(a);
    bench.advance(Duration.ofSeconds(2));
    bench.complete(first);
    bench.end(b, JobState.COMPLETED);
    Graph graph = graph(bench, b, 10);
    assertThat(graph.edges()).containsExactly(new Graph.Edge(a, b));
    Graph.Node node =
        graph.nodes().stream().filter(one -> one.id().equals(a)).findFirst().orElseThrow();
    assertThat(node.state()).isEqualTo(JobState.COMPLETED);
    assertThat(node.startedAt()).isEqualTo(bench.now().minusSeconds(2));
    assertThat(node.finishedAt()).isEqualTo(bench.now());
  }

  @Test
  default void graph_isCutOff_whereItIsTooLarge(Bench bench) {
    UUID hub = bench.add();
    bench.add(20, Draft.job().type("b").after(hub));
    Graph graph = graph(bench, hub, 7);
    assertThat(graph.cutOff()).isTrue();
    assertThat(graph.nodes()).hasSize(7).extracting(Graph.Node::id).contains(hub);
    assertThat(graph.edges()).hasSize(6);
    assertThat(graph(bench, hub, 21).cutOff()).isFalse();
  }

  @Test
  default void graph_showsABatchThatAJobWaitsFor(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    BatchStarted started = bench.start(
        BatchDraft.of(batch).callback(callback, AfterPolicy.RUN), Draft.job(), Draft.job());
    assertThat(started.callback()).isEqualTo(callback);
    Graph graph = graph(bench, callback, 10);
    assertThat(graph.edges()).containsExactly(new Graph.Edge(batch, callback));
    Graph.Node node =
        graph.nodes().stream().filter(Graph.Node::isBatch).findFirst().orElseThrow();
    assertThat(node.id()).isEqualTo(batch);
    assertThat(node.name()).isEqualTo("batch");
    assertThat(node.state()).isEqualTo(JobState.RUNNING);
    assertThat(node.finishedAt()).isNull();
    bench.claim(2).forEach(bench::complete);
    assertThat(graph(bench, callback, 10).nodes())
        .filteredOn(Graph.Node::isBatch)
        .singleElement()
        .satisfies(over -> {
          assertThat(over.state()).isEqualTo(JobState.COMPLETED);
          assertThat(over.finishedAt()).isEqualTo(bench.now());
        });
  }

  @Test
  default void successors_areAllThatWaits_oneBehindTheOther(Bench bench) {
    UUID a = bench.add();
    UUID b = bench.add(Draft.job().type("b").after(a));
    UUID c = bench.add(Draft.job().type("c").after(b));
    UUID d = bench.add(Draft.job().type("d").after(c, a));
    bench.add(Draft.job().type("other"));
    assertThat(bench.links().successors(a, 10)).containsExactlyInAnyOrder(b, c, d);
    assertThat(bench.links().successors(b, 10)).containsExactlyInAnyOrder(c, d);
    assertThat(bench.links().successors(a, 2)).hasSize(2);
    assertThat(bench.links().successors(d, 10)).isEmpty();
    bench.store().cancel(c, "no", Verdicts.KEEP);
    assertThat(bench.links().successors(a, 10)).containsExactly(b);
  }

  @Test
  default void release_letsAHeldJobRun(Bench bench) {
    UUID failed = bench.add();
    UUID job = bench.add(Draft.job().type("b").after(failed).policy(AfterPolicy.HOLD));
    assertThat(bench.links().release(job)).as("while it waits").isFalse();
    bench.end(failed, JobState.DEAD);
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
    assertThat(bench.links().release(job)).isTrue();
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
    assertThat(bench.links().release(job)).as("once it is ready").isFalse();
    assertThat(bench.links().release(bench.id())).isFalse();
    bench.store().replay(failed);
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
    assertThat(bench.links().results(job))
        .containsExactly(new Result(failed.toString(), failed, JobState.PENDING, null));
    bench.end(job, JobState.COMPLETED);
  }

  @Test
  default void release_keepsTheDelay(Bench bench) {
    UUID failed = bench.add();
    UUID job = bench.add(
        Draft.job().type("b").after(failed).policy(AfterPolicy.HOLD).in(Duration.ofMinutes(10)));
    bench.end(failed, JobState.DEAD);
    assertThat(bench.links().release(job)).isTrue();
    assertThat(bench.find(job).status().runAt()).isEqualTo(bench.now().plusSeconds(600));
    assertThat(bench.links().release(job)).isFalse();
  }

  @Test
  default void aHeldJob_canBeCancelled_andExpires(Bench bench) {
    UUID failed = bench.addIn(JobState.DEAD);
    Draft draft = Draft.job().after(failed).policy(AfterPolicy.HOLD);
    UUID cancelled = bench.add(draft);
    UUID expired = bench.add(draft.expiresAt(bench.now().plusSeconds(1)));
    bench.store().cancel(cancelled, "no", Verdicts.KEEP);
    bench.advance(Duration.ofSeconds(2));
    assertThat(bench.store().expire(10)).containsExactly(expired);
    assertThat(bench.state(cancelled)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.links().release(cancelled)).isFalse();
  }

  @Test
  default void revive_bringsBackWhatWasCancelledBecauseOfAJob_onEveryLevel(Bench bench) {
    UUID a = bench.add(Draft.job().type("a"));
    UUID b = bench.add(Draft.job().type("b").after(a));
    UUID c = bench.add(Draft.job().type("c").after(a));
    UUID d = bench.add(Draft.job().type("d").after(b, c));
    UUID byHand = bench.add(Draft.job().type("e").after(a));
    bench.store().cancel(byHand, "no", Verdicts.KEEP);
    bench.end(a, JobState.DEAD);
    assertThat(bench.links().revive(a)).startsWith(a).containsExactlyInAnyOrder(a, b, c, d);
    for (UUID job : List.of(b, c, d)) {
      assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
      assertThat(bench.reason(job)).isNull();
      assertThat(bench.find(job).status().finishedAt()).isNull();
      assertThat(bench.find(job).status().runAt()).isNull();
    }
    assertThat(bench.state(byHand)).isEqualTo(JobState.CANCELLED);
    for (UUID job : List.of(a, b, c, d)) {
      bench.end(job, JobState.COMPLETED);
    }
    assertThat(bench.links().revive(a)).as("a completed job").isEmpty();
    assertThat(bench.links().revive(bench.id())).isEmpty();
  }

  @Test
  default void revive_counts_asAReplay(Bench bench) {
    UUID a = bench.add();
    bench.end(a, JobState.DEAD);
    assertThat(bench.links().revive(a)).containsExactly(a);
    assertThat(bench.find(a).status().replays()).isEqualTo(1);
    assertThat(bench.state(a)).isEqualTo(JobState.PENDING);
    assertThat(bench.links().revive(a)).as("a job that is ready").isEmpty();
  }

  @Test
  default void revive_leavesWhatWaitsForAnotherThatFailed(Bench bench) {
    UUID a = bench.add(Draft.job().type("a"));
    UUID other = bench.add(Draft.job().type("o"));
    UUID b = bench.add(Draft.job().type("b").after(a, other));
    UUID c = bench.add(Draft.job().type("c").after(b));
    bench.end(a, JobState.DEAD);
    bench.end(other, JobState.DEAD);
    assertThat(bench.links().revive(a)).containsExactly(a);
    assertThat(bench.state(b)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.state(c)).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void revive_leavesAJob_thatSomebodyReplayedMeanwhile(Bench bench) {
    UUID a = bench.add();
    UUID b = bench.add(Draft.job().type("b").after(a));
    bench.end(a, JobState.DEAD);
    bench.store().replay(b);
    bench.end(b, JobState.CANCELLED);
    assertThat(bench.links().revive(a)).containsExactly(a);
    assertThat(bench.state(b)).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void revive_hasAHeldJobWait_forTheOneThatCameBack(Bench bench) {
    UUID a = bench.add();
    UUID b = bench.add(Draft.job().type("b").after(a));
    UUID held = bench.add(Draft.job().type("c").after(b).policy(AfterPolicy.HOLD));
    bench.end(a, JobState.DEAD);
    assertMissing(node(bench, held), 0, 1);
    assertThat(bench.links().revive(a)).containsExactly(a, b);
    assertMissing(node(bench, held), 1, 0);
    bench.end(a, JobState.COMPLETED);
    bench.end(b, JobState.COMPLETED);
    assertThat(bench.state(held)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void aJobThatWaitsForOthers_holdsUpNobody_inAnOrderedQueue(Bench bench) {
    bench.store().queues().save(QueueSettings.of("row").withOrdered(Ordering.QUEUE));
    UUID a = bench.add();
    UUID waiting = bench.add(Draft.job().queue("row").after(a));
    UUID younger = bench.add(Draft.job().queue("row"));
    bench.end(younger, JobState.COMPLETED);
    bench.end(a, JobState.DEAD);
    bench.links().revive(a);
    UUID youngest = bench.add(Draft.job().queue("row"));
    bench.end(youngest, JobState.COMPLETED);
    bench.end(a, JobState.COMPLETED);
    bench.end(waiting, JobState.COMPLETED);
  }

  private static Graph graph(Bench bench, UUID job, int max) {
    return bench.links().graph(job, max).orElseThrow(() -> new AssertionError("no job " + job));
  }

  private static Graph.Node node(Bench bench, UUID job) {
    return graph(bench, job, 100).nodes().stream()
        .filter(node -> node.id().equals(job))
        .findFirst()
        .orElseThrow();
  }
}
