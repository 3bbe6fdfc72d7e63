package io.sluice.testkit;

import static io.sluice.testkit.BatchLinksContract.assertCode;
import static io.sluice.testkit.BatchLinksContract.assertCounts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.AfterPolicy;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.NewJob;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who may add jobs to a batch, and until when. */
public interface OpenBatchContract extends StoreTopic {
  @Test
  default void anOpenBatch_takesMore_andEndsOnceItIsClosed(Bench bench) {
    UUID batch = bench.id();
    UUID callback = bench.id();
    bench.start(BatchDraft.of(batch).open().callback(callback, AfterPolicy.RUN));
    assertThat(bench.batch(batch).open()).isTrue();
    assertThat(add(bench, batch, 2)).hasSize(2);
    bench.claim(2).forEach(bench::complete);
    assertCounts(bench, batch, 2, 2, 0, 0);
    assertThat(bench.batch(batch).isOver()).isFalse();
    add(bench, batch, 1);
    assertThat(bench.links().close(batch)).isTrue();
    assertThat(bench.links().close(batch)).isFalse();
    assertThat(bench.batch(batch).open()).isFalse();
    assertThat(bench.batch(batch).isOver()).isFalse();
    assertThatThrownBy(() -> add(bench, batch, 1))
        .hasMessage(
            "CONFLICT: batch " + batch + " is closed: only its own running jobs may add to it");
    bench.complete(bench.claimOne());
    assertCounts(bench, batch, 3, 3, 0, 0);
    assertThat(bench.batch(batch).isOver()).isTrue();
    assertThat(bench.state(callback)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void close_endsABatch_whoseMembersAreAllOver(Bench bench) {
    UUID batch = bench.id();
    bench.start(BatchDraft.of(batch).open(), Draft.job());
    bench.complete(bench.claimOne());
    assertThat(bench.batch(batch).isOver()).isFalse();
    assertThat(bench.links().close(batch)).isTrue();
    assertThat(bench.batch(batch).isOver()).isTrue();
    assertThat(bench.links().close(bench.id())).isFalse();
  }

  @Test
  default void add_isRefusedWhole_whenOneJobCannotBeTaken(Bench bench) {
    UUID batch = bench.id();
    bench.start(BatchDraft.of(batch).open());
    UUID nobody = bench.id();
    List<NewJob> jobs = List.of(
        bench.made(Draft.job().batch(batch)),
        bench.made(Draft.job().batch(batch).after(nobody)));
    assertCode(ErrorCode.NOT_FOUND, () -> bench.links().add(batch, null, jobs));
    assertCounts(bench, batch, 0, 0, 0, 0);
    assertThat(bench.listed(JobFilter.all())).isEmpty();
  }

  @Test
  default void add_toABatchThatIsNotThere_orOfAnotherTenant_isRefused(Bench bench) {
    UUID nothing = bench.id();
    assertThatThrownBy(() -> add(bench, nothing, 1))
        .hasMessage("NOT_FOUND: tenant default has no batch " + nothing);
    UUID foreign = bench.id();
    bench.start(BatchDraft.of(foreign).tenant("elsewhere").open());
    assertCode(ErrorCode.NOT_FOUND, () -> add(bench, foreign, 1));
    assertThat(bench.listed(JobFilter.all())).isEmpty();
  }

  @Test
  default void aRunningJob_addsToItsOwnBatch_whileItsClaimStands(Bench bench) {
    UUID batch = bench.id();
    bench.start(BatchDraft.of(batch), Draft.job());
    ClaimedJob member = bench.claimOne();
    List<NewJob> more = bench.made(2, Draft.job().batch(batch));
    ClaimRef ref = member.ref();
    assertCode(
        ErrorCode.LEASE_LOST,
        () ->
            bench.links().add(batch, new ClaimRef(ref.job(), ref.turn(), ref.worker() + 1), more));
    assertThat(bench.links().add(batch, ref, more)).hasSize(2);
    assertCounts(bench, batch, 3, 0, 0, 0);
    bench.complete(member);
    assertThat(bench.batch(batch).isOver()).isFalse();
    assertCode(
        ErrorCode.LEASE_LOST,
        () -> bench.links().add(batch, member.ref(), bench.made(1, Draft.job().batch(batch))));
    bench.claim(2).forEach(bench::complete);
    assertCounts(bench, batch, 3, 3, 0, 0);
    assertThat(bench.batch(batch).isOver()).isTrue();
  }

  @Test
  default void aRunningJob_addsToNoOtherBatch(Bench bench) {
    UUID mine = bench.id();
    UUID other = bench.id();
    bench.start(BatchDraft.of(mine), Draft.job());
    bench.start(BatchDraft.of(other), Draft.job().type("other"));
    ClaimedJob member = bench.claim(bench.links().unfinished(mine, 1).getFirst());
    assertCode(
        ErrorCode.LEASE_LOST,
        () -> bench.links().add(other, member.ref(), bench.made(1, Draft.job().batch(other))));
    assertCounts(bench, other, 1, 0, 0, 0);
  }

  private static List<Enqueued> add(Bench bench, UUID batch, int n) {
    return bench.links().add(batch, null, bench.made(n, Draft.job().batch(batch)));
  }
}
