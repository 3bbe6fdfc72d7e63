package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.CancelResult;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.store.ClaimedJob;
import io.sluice.store.WorkerRecord;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How a person ends a job. */
public interface CancelContract extends StoreTopic {
  @Test
  default void cancel_endsAJob_inEveryStateThatIsNotOver(Bench bench) {
    for (JobState state : JobState.values()) {
      if (!state.isFinal()) {
        UUID job = bench.addIn(state, Draft.job().type("t" + state));
        assertThat(cancel(bench, job)).isEqualTo(CancelResult.CANCELLED);
        assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED);
      }
    }
  }

  @Test
  default void cancel_keepsReasonAndTime(Bench bench) {
    UUID job = bench.add();
    bench.advance(Duration.ofSeconds(5));
    cancel(bench, job);
    JobRecord record = bench.find(job);
    assertThat(record.status().reason()).isEqualTo("not wanted");
    assertThat(record.status().finishedAt()).isEqualTo(bench.now());
  }

  @Test
  default void cancel_leavesAFinishedJobAsItIs(Bench bench) {
    for (JobState state : JobState.values()) {
      if (state.isFinal()) {
        UUID job = bench.addIn(state);
        JobRecord before = bench.find(job);
        assertThat(cancel(bench, job)).isEqualTo(CancelResult.ALREADY_FINISHED);
        assertThat(bench.find(job)).isEqualTo(before);
      }
    }
  }

  @Test
  default void cancel_ofAnUnknownJob_saysSo(Bench bench) {
    assertThat(cancel(bench, bench.made(Draft.job()).id())).isEqualTo(CancelResult.NOT_FOUND);
  }

  @Test
  default void cancel_takesTheJobOutOfReach(Bench bench) {
    List<UUID> jobs = bench.add(3);
    cancel(bench, jobs.get(0));
    assertThat(Bench.idsOf(bench.claim(5))).isEqualTo(jobs.subList(1, 3));
  }

  @Test
  default void cancel_ofTheLastReadyJob_leavesNoHead(Bench bench) {
    cancel(bench, bench.add());
    assertThat(bench.store().heads()).isEmpty();
  }

  @Test
  default void cancel_ofALaterJob_isNeverPromoted(Bench bench) {
    UUID job = bench.add(Draft.job().in(Duration.ofSeconds(5)));
    cancel(bench, job);
    bench.advance(Duration.ofSeconds(6));
    assertThat(bench.store().promote(10).moved()).isZero();
    assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED);
  }

  @Test
  default void cancel_ofARunningJob_endsItsClaim(Bench bench) {
    ClaimedJob claimed = bench.running();
    cancel(bench, claimed.ref().job());
    assertThat(bench.complete(claimed)).isFalse();
    assertThat(bench.store().workers().live()).extracting(WorkerRecord::running).containsExactly(0);
    assertThat(bench.find(claimed.ref().job()).status().leaseUntil()).isNull();
  }

  @Test
  default void cancel_ofARunningJob_isNotRescued(Bench bench) {
    long worker = bench.worker("w", Duration.ofSeconds(30));
    ClaimedJob claimed = bench.claim(worker, bench.add());
    cancel(bench, claimed.ref().job());
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.lostClaims()).isEmpty();
  }

  @Test
  default void cancel_keepsErrorsOfEarlierAttempts(Bench bench) {
    UUID job = bench.add();
    bench.finish(
        bench.claim(job).ref(),
        Verdicts.retryIn(Duration.ofSeconds(9), Verdicts.error(bench.now(), 1, "boom")));
    cancel(bench, job);
    assertThat(bench.find(job).status().errors()).hasSize(1);
    assertThat(bench.find(job).attempt()).isEqualTo(1);
  }

  @Test
  default void cancel_orClaim_hasOneWinner(Bench bench) {
    for (int round = 0; round < 10; round++) {
      UUID job = bench.add();
      long worker = bench.worker();
      List<Boolean> results = Together.run(
          2,
          i -> () -> i == 0
              ? !bench.claim(worker, 1).isEmpty()
              : cancel(bench, job) == CancelResult.CANCELLED);
      assertThat(results.get(1)).as("a job that is not over can be cancelled").isTrue();
      assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED);
      assertThat(bench.store().heads()).isEmpty();
    }
  }

  private static CancelResult cancel(Bench bench, UUID job) {
    return bench.store().cancel(job, "not wanted", Verdicts.KEEP);
  }
}
