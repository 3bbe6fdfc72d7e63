package io.sluice.testkit;

import static io.sluice.testkit.BatchLinksContract.assertCode;
import static io.sluice.testkit.BatchLinksContract.assertCounts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.store.ClaimedJob;
import io.sluice.store.NewJob;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Batches in batches, and jobs that wait for batches. */
public interface NestedBatchContract extends StoreTopic {
  @Test
  default void aBatchInAnother_countsThereAsOne_andEndsItWhenItIsTheLast(Bench bench) {
    UUID outer = bench.id();
    UUID inner = bench.id();
    UUID callback = bench.id();
    bench.start(BatchDraft.of(outer).open().callback(callback, AfterPolicy.RUN), Draft.job());
    bench.start(
        BatchDraft.of(inner).in(outer, null),
        Draft.job().type("in"),
        Draft.job().type("in"));
    assertThat(bench.batch(inner).parent()).isEqualTo(outer);
    assertCounts(bench, outer, 2, 0, 0, 0);
    bench.links().close(outer);
    bench.claim(3).forEach(bench::complete);
    assertCounts(bench, inner, 2, 2, 0, 0);
    assertCounts(bench, outer, 2, 2, 0, 0);
    assertThat(bench.batch(outer).isOver()).isTrue();
    assertThat(bench.state(callback)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void theOutcomeOfABatch_isThatOfTheWorstOfItsMembers(Bench bench) {
    UUID outer = bench.start(BatchDraft.of(bench.id()).open()).id();
    inner(bench, outer, JobState.COMPLETED, JobState.COMPLETED);
    assertCounts(bench, outer, 1, 1, 0, 0);
    inner(bench, outer, JobState.COMPLETED, JobState.CANCELLED);
    assertCounts(bench, outer, 2, 1, 0, 1);
    inner(bench, outer, JobState.DEAD, JobState.CANCELLED);
    assertCounts(bench, outer, 3, 1, 1, 1);
    inner(bench, outer, JobState.FAILED, JobState.COMPLETED);
    assertCounts(bench, outer, 4, 1, 2, 1);
  }

  private static void inner(Bench bench, UUID outer, JobState... ends) {
    List<NewJob> jobs = bench.made(ends.length, Draft.job());
    bench.start(BatchDraft.of(bench.id()).in(outer, null), jobs);
    for (int i = 0; i < ends.length; i++) {
      bench.end(jobs.get(i).id(), ends[i]);
    }
  }

  @Test
  default void anEmptyBatch_inAnother_isOverThereAtOnce(Bench bench) {
    UUID outer = bench.start(BatchDraft.of(bench.id()).open()).id();
    bench.start(BatchDraft.of(bench.id()).in(outer, null));
    assertCounts(bench, outer, 1, 1, 0, 0);
    assertThat(bench.links().close(outer)).isTrue();
    assertThat(bench.batch(outer).isOver()).isTrue();
  }

  @Test
  default void threeLevels_endOneAfterTheOther(Bench bench) {
    UUID outer = bench.start(BatchDraft.of(bench.id()).open()).id();
    UUID middle = bench.start(BatchDraft.of(bench.id()).in(outer, null).open()).id();
    UUID inner =
        bench.start(BatchDraft.of(bench.id()).in(middle, null), Draft.job()).id();
    bench.links().close(outer);
    bench.links().close(middle);
    assertThat(bench.batch(outer).isOver()).isFalse();
    bench.complete(bench.claimOne());
    for (UUID batch : List.of(inner, middle, outer)) {
      assertThat(bench.batch(batch).isOver()).isTrue();
    }
  }

  @Test
  default void aRunningMember_startsABatchInItsOwn(Bench bench) {
    UUID outer = bench.start(BatchDraft.of(bench.id()), Draft.job()).id();
    ClaimedJob member = bench.claimOne();
    UUID inner = bench.id();
    bench.start(BatchDraft.of(inner).in(outer, member.ref()), Draft.job().type("in"));
    bench.complete(member);
    assertThat(bench.batch(outer).isOver()).isFalse();
    bench.complete(bench.claimOne());
    assertCounts(bench, outer, 2, 2, 0, 0);
    assertThat(bench.batch(outer).isOver()).isTrue();
  }

  @Test
  default void aBatchInOneThatTakesNone_isRefused_withNothingStored(Bench bench) {
    UUID closed = bench.start(BatchDraft.of(bench.id()), Draft.job()).id();
    UUID foreign =
        bench.start(BatchDraft.of(bench.id()).tenant("elsewhere").open()).id();
    ClaimedJob member = bench.claimOne();
    bench.finish(member.ref(), Verdicts.givenBack());
    UUID inner = bench.id();
    assertCode(
        ErrorCode.CONFLICT, () -> bench.start(BatchDraft.of(inner).in(closed, null), Draft.job()));
    assertCode(
        ErrorCode.LEASE_LOST,
        () -> bench.start(BatchDraft.of(inner).in(closed, member.ref()), Draft.job()));
    assertCode(
        ErrorCode.NOT_FOUND,
        () -> bench.start(BatchDraft.of(inner).in(foreign, null), Draft.job()));
    UUID nothing = bench.id();
    assertCode(
        ErrorCode.NOT_FOUND,
        () -> bench.start(BatchDraft.of(inner).in(nothing, null), Draft.job()));
    assertThat(bench.links().find(inner)).isEmpty();
    assertCounts(bench, closed, 1, 0, 0, 0);
    assertThat(bench.listed(JobFilter.all())).hasSize(1);
  }

  @Test
  default void unfinished_areAlsoTheJobs_ofBatchesInIt(Bench bench) {
    UUID outer = bench.start(BatchDraft.of(bench.id()).open()).id();
    UUID inner =
        bench.start(BatchDraft.of(bench.id()).in(outer, null), Draft.job()).id();
    assertThat(bench.links().unfinished(outer, 10))
        .hasSize(1)
        .isEqualTo(bench.links().unfinished(inner, 10));
    bench.complete(bench.claimOne());
    assertThat(bench.links().unfinished(outer, 10)).isEmpty();
  }

  @Test
  default void aJobAfterABatch_waitsForAllOfIt(Bench bench) {
    UUID batch =
        bench.start(BatchDraft.of(bench.id()), Draft.job(), Draft.job()).id();
    UUID job = bench.add(Draft.job().type("b").after(batch));
    UUID cleanup = bench.add(Draft.job().type("c").after(batch).policy(AfterPolicy.IF_FAILED));
    bench.complete(bench.claimOne());
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
    bench.complete(bench.claimOne());
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
    assertThat(bench.state(cleanup)).isEqualTo(JobState.CANCELLED);
    UUID later = bench.add(Draft.job().type("d").after(batch));
    assertThat(bench.state(later)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void aJobAfterABatchThatFailed_isCancelled(Bench bench) {
    UUID batch = bench.start(BatchDraft.of(bench.id()), Draft.job()).id();
    UUID before = bench.add(Draft.job().type("b").after(batch));
    bench.finish(bench.claimOne().ref(), Verdicts.dead("boom"));
    UUID after = bench.add(Draft.job().type("b").after(batch));
    for (UUID job : List.of(before, after)) {
      assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED);
      assertThat(bench.reason(job)).isEqualTo("batch " + batch + ", which it waits for, failed");
    }
  }

  @Test
  default void aJobAfterABatchOfAnotherTenant_isRefused(Bench bench) {
    UUID foreign = bench.start(BatchDraft.of(bench.id()).tenant("elsewhere")).id();
    assertCode(ErrorCode.NOT_FOUND, () -> bench.add(Draft.job().after(foreign)));
  }

  @Test
  default void aJobOfOneBatch_mayWaitForAnotherBatch(Bench bench) {
    UUID first = bench.start(BatchDraft.of(bench.id()), Draft.job()).id();
    UUID second = bench
        .start(BatchDraft.of(bench.id()), Draft.job().type("b").after(first))
        .id();
    bench.complete(bench.claimOne());
    assertThat(bench.batch(second).isOver()).isFalse();
    bench.complete(bench.claimOne());
    assertThat(bench.batch(second).isOver()).isTrue();
  }
}
