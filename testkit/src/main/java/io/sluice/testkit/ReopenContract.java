package io.sluice.testkit;

import static io.sluice.testkit.BatchLinksContract.assertCounts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.Graph;
import io.sluice.JobState;
import io.sluice.store.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A batch is over only while all its members are: what one that runs again takes back, and what follows. */
public interface ReopenContract extends StoreTopic {
  Draft HELD = Draft.job().type("held").policy(AfterPolicy.HOLD);

  @Test
  default void aMemberReplayed_takesBackTheEndOfItsBatch(Bench bench) {
    UUID batch = bench.id();
    List<UUID> members = batch(bench, BatchDraft.of(batch), 2);
    bench.end(members.get(0), JobState.COMPLETED);
    bench.end(members.get(1), JobState.DEAD);
    assertThat(bench.batch(batch).finishedAt()).isEqualTo(bench.now());
    bench.store().replay(members.get(1));
    assertThat(bench.batch(batch).finishedAt()).isNull();
    assertCounts(bench, batch, 2, 1, 0, 0);
    assertThat(bench.links().unfinished(batch, 10)).containsExactly(members.get(1));
    bench.advance(Duration.ofSeconds(1));
    bench.end(members.get(1), JobState.COMPLETED);
    assertCounts(bench, batch, 2, 2, 0, 0);
    assertThat(bench.batch(batch).finishedAt()).isEqualTo(bench.now());
    assertThat(bench.links().settle(10)).isZero();
  }

  @Test
  default void whatIsHeldBecauseOfABatch_waitsForItAgain_andRunsWhenItCompletes(Bench bench) {
    UUID batch = bench.id();
    UUID member = batch(bench, BatchDraft.of(batch), 1).getFirst();
    UUID held = bench.add(HELD.after(batch));
    bench.end(member, JobState.DEAD);
    assertStands(bench, held, 0, 1);
    bench.store().replay(member);
    assertStands(bench, held, 1, 0);
    assertThat(node(bench, held, batch).state()).isEqualTo(JobState.RUNNING);
    bench.end(member, JobState.DEAD);
    assertStands(bench, held, 0, 1);
    assertThat(node(bench, held, batch).state()).isEqualTo(JobState.DEAD);
    bench.store().replay(member);
    UUID young = bench.add(Draft.job().type("young").after(batch));
    assertThat(bench.state(young)).isEqualTo(JobState.SCHEDULED);
    bench.end(member, JobState.COMPLETED);
    assertThat(bench.state(held)).isEqualTo(JobState.PENDING);
    assertThat(bench.state(young)).isEqualTo(JobState.PENDING);
    assertThat(node(bench, held, batch).state()).isEqualTo(JobState.COMPLETED);
    assertThat(bench.state(bench.add(Draft.job().type("last").after(batch))))
        .isEqualTo(JobState.PENDING);
  }

  @Test
  default void whatStillWaitsForOthers_waitsForTheBatchAgain(Bench bench) {
    UUID batch = bench.id();
    UUID member = batch(bench, BatchDraft.of(batch), 1).getFirst();
    UUID other = bench.add(Draft.job().type("other"));
    UUID job = bench.add(HELD.after(batch, other));
    bench.end(member, JobState.DEAD);
    assertStands(bench, job, 1, 1);
    bench.store().replay(member);
    assertStands(bench, job, 2, 0);
    bench.end(other, JobState.COMPLETED);
    bench.end(member, JobState.COMPLETED);
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void aCallbackThatRan_doesNotRunAgain(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    UUID member = batch(bench, BatchDraft.of(batch).callback(callback, AfterPolicy.RUN), 1)
        .getFirst();
    bench.end(member, JobState.DEAD);
    bench.end(callback, JobState.COMPLETED);
    assertThat(bench.links().revive(member)).containsExactly(member);
    bench.end(member, JobState.COMPLETED);
    assertThat(bench.batch(batch).isOver()).isTrue();
    assertThat(bench.state(callback)).isEqualTo(JobState.COMPLETED);
    assertThat(bench.claim(5)).isEmpty();
  }

  @Test
  default void revive_bringsBackWhatWasCancelledBecauseOfTheBatch(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    List<UUID> members =
        batch(bench, BatchDraft.of(batch).callback(callback, AfterPolicy.CANCEL), 2);
    UUID next = bench.add(Draft.job().type("next").after(batch));
    UUID last = bench.add(Draft.job().type("last").after(next));
    members.forEach(member -> bench.end(member, JobState.DEAD));
    assertThat(bench.state(last)).isEqualTo(JobState.CANCELLED);
    bench.store().replay(members.get(0));
    assertThat(bench.state(next)).as("without cascade").isEqualTo(JobState.CANCELLED);
    assertThat(bench.links().revive(members.get(1)))
        .startsWith(members.get(1))
        .containsExactlyInAnyOrder(members.get(1), callback, next, last);
    assertStands(bench, next, 1, 0);
    bench.end(members.get(0), JobState.COMPLETED);
    assertStands(bench, callback, 1, 0);
    bench.end(members.get(1), JobState.COMPLETED);
    bench.end(callback, JobState.COMPLETED);
    bench.end(next, JobState.COMPLETED);
    bench.end(last, JobState.COMPLETED);
  }

  @Test
  default void revive_bringsBackAJob_withTheMomentThatItWasPlannedFor(Bench bench) {
    UUID first = bench.add();
    UUID planned = bench.add(Draft.job().type("planned").after(first).in(Duration.ofHours(10)));
    bench.finish(bench.claim(first).ref(), Verdicts.dead("no"));
    assertThat(bench.state(planned)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.links().revive(first)).containsExactlyInAnyOrder(first, planned);
    bench.complete(bench.claim(first));
    assertThat(bench.state(planned)).isEqualTo(JobState.SCHEDULED);
    assertThat(bench.find(planned).status().runAt())
        .isEqualTo(bench.now().plus(Duration.ofHours(10)));
    bench.advance(Duration.ofHours(10));
    assertThat(bench.store().promote(10).moved()).isEqualTo(1);
  }

  @Test
  default void theBatchesAroundIt_areOverNoLongerEither(Bench bench) {
    UUID outer = bench.id();
    UUID middle = bench.id();
    UUID inner = bench.id();
    UUID first = batch(bench, BatchDraft.of(outer).open(), 1).getFirst();
    bench.start(BatchDraft.of(middle).in(outer, null).open());
    UUID member = batch(bench, BatchDraft.of(inner).in(middle, null), 1).getFirst();
    bench.links().close(middle);
    bench.links().close(outer);
    UUID held = bench.add(HELD.after(outer));
    UUID cancelled = bench.add(Draft.job().type("next").after(outer));
    bench.end(first, JobState.COMPLETED);
    bench.end(member, JobState.DEAD);
    assertCounts(bench, outer, 2, 1, 1, 0);
    assertThat(bench.batch(outer).isOver()).isTrue();
    assertThat(bench.links().revive(member)).containsExactlyInAnyOrder(member, cancelled);
    for (UUID batch : List.of(inner, middle, outer)) {
      assertThat(bench.batch(batch).isOver()).isFalse();
    }
    assertCounts(bench, inner, 1, 0, 0, 0);
    assertCounts(bench, middle, 1, 0, 0, 0);
    assertCounts(bench, outer, 2, 1, 0, 0);
    assertStands(bench, held, 1, 0);
    assertThat(bench.links().unfinished(outer, 10)).containsExactly(member);
    bench.end(member, JobState.COMPLETED);
    assertCounts(bench, outer, 2, 2, 0, 0);
    for (UUID batch : List.of(inner, middle, outer)) {
      assertThat(bench.batch(batch).isOver()).isTrue();
    }
    assertThat(bench.state(held)).isEqualTo(JobState.PENDING);
    assertThat(bench.state(cancelled)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void aBatchWhoseJobsWereRevived_isNotOver(Bench bench) {
    UUID root = bench.add(Draft.job().type("root"));
    UUID batch = bench.id();
    List<NewJob> members = bench.made(3, Draft.job().type("member").after(root));
    bench.start(BatchDraft.of(batch), members);
    UUID next = bench.add(Draft.job().type("next").after(batch));
    bench.end(root, JobState.DEAD);
    assertCounts(bench, batch, 3, 0, 0, 3);
    assertThat(bench.batch(batch).isOver()).isTrue();
    assertThat(bench.links().revive(root)).hasSize(5).contains(root, next);
    assertCounts(bench, batch, 3, 0, 0, 0);
    assertThat(bench.batch(batch).isOver()).isFalse();
    assertThat(bench.links().unfinished(batch, 10)).hasSize(3);
    bench.end(root, JobState.COMPLETED);
    bench.claim(3).forEach(bench::complete);
    assertCounts(bench, batch, 3, 3, 0, 0);
    assertThat(bench.state(next)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void revive_leavesABatchOver_whoseJobsStayCancelled(Bench bench) {
    UUID root = bench.add(Draft.job().type("root"));
    UUID other = bench.add(Draft.job().type("other"));
    UUID batch = bench.id();
    UUID callback = bench.id();
    NewJob member = bench.made(Draft.job().type("member").after(root, other));
    bench.start(BatchDraft.of(batch).callback(callback, AfterPolicy.CANCEL), List.of(member));
    bench.end(root, JobState.DEAD);
    bench.end(other, JobState.DEAD);
    assertThat(bench.links().revive(root)).containsExactly(root);
    assertThat(bench.batch(batch).isOver()).isTrue();
    assertThat(bench.state(member.id())).isEqualTo(JobState.CANCELLED);
    assertThat(bench.state(callback)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.links().revive(other)).as("the other was not why").containsExactly(other);
  }

  @Test
  default void aBatchThatIsNotOverAnyMore_isKept_howeverLongItTakes(Bench bench) {
    UUID batch = bench.id();
    UUID member =
        batch(bench, BatchDraft.of(batch).keepFor(Duration.ofDays(1)), 1).getFirst();
    bench.end(member, JobState.DEAD);
    bench.store().replay(member);
    bench.advance(Duration.ofDays(400));
    bench.store().purge();
    assertThat(bench.batch(batch).isOver()).isFalse();
    bench.end(member, JobState.COMPLETED);
    assertThat(bench.batch(batch).isOver()).isTrue();
  }

  @Test
  default void aMemberThatRunsAgain_mayAddToItsBatch(Bench bench) {
    UUID batch = bench.id();
    UUID member = batch(bench, BatchDraft.of(batch), 1).getFirst();
    bench.end(member, JobState.DEAD);
    bench.store().replay(member);
    var claimed = bench.claim(member);
    bench
        .links()
        .add(batch, claimed.ref(), bench.made(1, Draft.job().type("more").batch(batch)));
    bench.complete(claimed);
    assertCounts(bench, batch, 2, 1, 0, 0);
    assertThat(bench.batch(batch).isOver()).isFalse();
    bench.complete(bench.claimOne());
    assertThat(bench.batch(batch).isOver()).isTrue();
  }

  @Test
  default void revive_ofALongChain_bringsItAllBack(Bench bench) {
    List<NewJob> chain = new ArrayList<>(bench.made(1, Draft.job()));
    while (chain.size() < 300) {
      chain.add(bench.made(Draft.job().after(chain.getLast().id())));
    }
    UUID batch = bench.id();
    bench.start(BatchDraft.of(batch), chain);
    UUID first = chain.getFirst().id();
    bench.end(first, JobState.DEAD);
    assertCounts(bench, batch, 300, 0, 1, 299);
    assertThat(bench.links().revive(first))
        .containsExactlyInAnyOrderElementsOf(chain.stream().map(NewJob::id).toList());
    assertCounts(bench, batch, 300, 0, 0, 0);
    assertThat(bench.links().revive(first)).as("it is PENDING now").isEmpty();
  }

  private static List<UUID> batch(Bench bench, BatchDraft draft, int members) {
    List<NewJob> jobs = bench.made(members, Draft.job());
    bench.start(draft, jobs);
    return jobs.stream().map(NewJob::id).toList();
  }

  private static void assertStands(Bench bench, UUID job, int missing, int failed) {
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
    Graph.Node node = node(bench, job, job);
    assertThat(node.missing()).as("missing").isEqualTo(missing);
    assertThat(node.failed()).as("failed").isEqualTo(failed);
  }

  private static Graph.Node node(Bench bench, UUID job, UUID of) {
    return bench.links().graph(job, 100).orElseThrow().nodes().stream()
        .filter(node -> node.id().equals(of))
        .findFirst()
        .orElseThrow();
  }
}
