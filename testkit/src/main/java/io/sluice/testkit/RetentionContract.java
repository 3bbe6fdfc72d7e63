package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.store.ClaimedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * How long finished jobs are kept. A store may drop them by the day, so the cases look for them some
 * days after their time.
 */
public interface RetentionContract extends StoreTopic {
  Duration DAY = Duration.ofDays(1);
  Duration WELL_AFTER = Duration.ofDays(4);

  @Test
  default void purge_ofAnEmptyStore_dropsNothing(Bench bench) {
    assertThat(bench.store().purge()).isZero();
  }

  @Test
  default void purge_keepsFinishedJobs_forTheirTime(Bench bench) {
    List<UUID> jobs = new ArrayList<>();
    for (JobState state : JobState.values()) {
      if (state.isFinal()) {
        ClaimedJob claimed = bench.running();
        bench.finish(claimed.ref(), Verdicts.end(state, Duration.ofDays(3)));
        jobs.add(claimed.ref().job());
      }
    }
    bench.advance(Duration.ofDays(3).minusSeconds(1));
    bench.store().purge();
    assertThat(jobs).allSatisfy(job -> assertThat(bench.store().find(job)).isPresent());
    assertThat(bench.listed(JobFilter.all())).hasSize(jobs.size());
  }

  @Test
  default void purge_dropsFinishedJobs_afterTheirTime(Bench bench) {
    List<UUID> jobs = new ArrayList<>();
    for (JobState state : JobState.values()) {
      if (state.isFinal()) {
        ClaimedJob claimed = bench.running();
        bench.finish(claimed.ref(), Verdicts.end(state, Duration.ofDays(3)));
        jobs.add(claimed.ref().job());
      }
    }
    bench.advance(Duration.ofDays(3).plus(WELL_AFTER));
    bench.store().purge();
    assertThat(jobs).allSatisfy(job -> assertThat(bench.store().find(job)).isEmpty());
    assertThat(bench.store().counts(null)).isEmpty();
  }

  @Test
  default void purge_goesByTheTimeOfEachJob(Bench bench) {
    UUID brief = ended(bench, Duration.ofHours(1));
    UUID lasting = ended(bench, Duration.ofDays(30));
    bench.advance(Duration.ofDays(5));
    bench.store().purge();
    assertThat(bench.store().find(brief)).isEmpty();
    assertThat(bench.store().find(lasting)).isPresent();
  }

  @Test
  default void purge_countsFromTheEnd_notFromTheCreation(Bench bench) {
    UUID job = bench.add();
    bench.advance(Duration.ofDays(20));
    bench.finish(bench.claim(job).ref(), Verdicts.end(JobState.COMPLETED, Duration.ofDays(3)));
    bench.advance(Duration.ofDays(2));
    bench.store().purge();
    assertThat(bench.state(job)).isEqualTo(JobState.COMPLETED);
  }

  @Test
  default void purge_goesByKeepFor_ofACancel(Bench bench) {
    UUID brief = bench.add();
    UUID lasting = bench.add();
    bench.store().cancel(brief, "no", Duration.ofHours(1));
    bench.store().cancel(lasting, "no", Duration.ofDays(30));
    bench.advance(Duration.ofDays(5));
    bench.store().purge();
    assertThat(bench.store().find(brief)).isEmpty();
    assertThat(bench.store().find(lasting)).isPresent();
  }

  @Test
  default void page_hidesWhatIsPastItsKeeping_beforeAnyPurge(Bench bench) {
    ended(bench, Duration.ofHours(1));
    UUID kept = ended(bench, Duration.ofHours(3));
    bench.advance(Duration.ofHours(2));
    assertThat(bench.listed(JobFilter.all())).containsExactly(kept);
  }

  @Test
  default void purge_neverDropsWhatIsNotOver_afterFourHundredDays(Bench bench) {
    List<UUID> jobs = new ArrayList<>();
    for (JobState state : JobState.values()) {
      if (!state.isFinal()) {
        jobs.add(bench.addIn(state, Draft.job().type("t" + state)));
      }
    }
    List<JobState> before = jobs.stream().map(bench::state).toList();
    bench.advance(Duration.ofDays(400));
    bench.store().purge();
    bench.store().purge();
    assertThat(jobs).extracting(bench::state).containsExactlyElementsOf(before);
  }

  @Test
  default void purge_leavesABacklog_thatStillRunsInOrder(Bench bench) {
    List<UUID> jobs = bench.add(20);
    bench.advance(Duration.ofDays(400));
    bench.store().purge();
    assertThat(Bench.idsOf(bench.claim(50))).isEqualTo(jobs);
  }

  @Test
  default void purge_everyDay_sparesAJobScheduledForThirtyDays(Bench bench) {
    UUID straggler = bench.add(Draft.job().payload("\"late\"").in(Duration.ofDays(30)));
    for (int day = 0; day < 12; day++) {
      ended(bench, Duration.ofHours(1));
      bench.advance(DAY);
      bench.store().purge();
    }
    bench.advance(Duration.ofDays(18));
    bench.store().purge();
    assertThat(bench.store().promote(10).moved()).isEqualTo(1);
    ClaimedJob claimed = bench.claim(straggler);
    assertThat(claimed.spec().payload()).isEqualTo("\"late\"");
    assertThat(bench.complete(claimed)).isTrue();
  }

  @Test
  default void purge_sparesAStraggler_untilItsOwnTimeIsOver(Bench bench) {
    UUID straggler = bench.add(Draft.job().key("k"));
    for (int i = 0; i < 5; i++) {
      bench.finish(bench.claim(straggler).ref(), Verdicts.retryIn(Duration.ofDays(5)));
      bench.advance(Duration.ofDays(5));
      bench.store().purge();
      bench.store().promote(10);
    }
    assertThat(bench.insert(Draft.job().key("k")).getFirst().id()).isEqualTo(straggler);
    bench.finish(
        bench.claim(straggler).ref(), Verdicts.end(JobState.COMPLETED, Duration.ofDays(3)));
    bench.advance(Duration.ofDays(3).plus(WELL_AFTER));
    bench.store().purge();
    assertThat(bench.store().find(straggler)).isEmpty();
  }

  @Test
  default void purge_sparesARunningJob_thatTakesWeeks(Bench bench) {
    ClaimedJob claimed = bench.running();
    for (int week = 0; week < 3; week++) {
      bench.advance(Duration.ofDays(7));
      bench.store().purge();
    }
    assertThat(bench.complete(claimed)).isTrue();
    assertThat(bench.state(claimed.ref().job())).isEqualTo(JobState.COMPLETED);
  }

  @Test
  default void purge_sparesAReplayedJob_pastItsOldTime(Bench bench) {
    UUID job = bench.add();
    bench.finish(bench.claim(job).ref(), Verdicts.end(JobState.DEAD, Duration.ofDays(3)));
    bench.advance(Duration.ofDays(2));
    bench.store().replay(job);
    bench.advance(Duration.ofDays(30));
    bench.store().purge();
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
    assertThat(bench.complete(bench.claim(job))).isTrue();
  }

  @Test
  default void key_isTaken_untilItsJobIsDropped(Bench bench) {
    UUID first = bench.add(Draft.job().key("k"));
    bench.finish(bench.claim(first).ref(), Verdicts.end(JobState.COMPLETED, Duration.ofDays(3)));
    bench.advance(Duration.ofDays(2));
    bench.store().purge();
    assertThat(bench.insert(Draft.job().key("k")).getFirst().id()).isEqualTo(first);
    bench.advance(DAY.plus(WELL_AFTER));
    bench.store().purge();
    UUID second = bench.insert(Draft.job().key("k")).getFirst().id();
    assertThat(second).isNotEqualTo(first);
    assertThat(bench.state(second)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void purge_sparesAJobThatIsOver_whileOneThatIsNotNamesIt(Bench bench) {
    UUID first = ended(bench, Duration.ofHours(1));
    UUID other = bench.add(Draft.job().type("other"));
    UUID waiting = bench.add(Draft.job().type("behind").after(first, other));
    for (int week = 0; week < 2; week++) {
      bench.advance(Duration.ofDays(7));
      bench.store().purge();
    }
    assertThat(bench.state(first)).isEqualTo(JobState.COMPLETED);
    bench.complete(bench.claim(other));
    ClaimedJob behind = bench.claim(waiting);
    bench.advance(Duration.ofDays(7));
    bench.store().purge();
    assertThat(bench.links().results(waiting).getFirst().state()).isEqualTo(JobState.COMPLETED);
    bench.complete(behind);
    bench.advance(WELL_AFTER);
    bench.store().purge();
    assertThat(bench.store().find(first)).isEmpty();
    assertThat(bench.state(waiting)).isEqualTo(JobState.COMPLETED);
  }

  @Test
  default void purge_sparesABatchThatIsOver_whileAJobThatIsNotNamesIt(Bench bench) {
    UUID batch = bench.id();
    bench.start(BatchDraft.of(batch).keepFor(Duration.ofHours(1)));
    UUID other = bench.add();
    UUID waiting = bench.add(Draft.job().type("behind").after(batch, other));
    bench.advance(Duration.ofDays(7));
    bench.store().purge();
    assertThat(bench.links().find(batch)).isPresent();
    bench.complete(bench.claim(other));
    bench.complete(bench.claim(waiting));
    bench.advance(WELL_AFTER);
    bench.store().purge();
    assertThat(bench.links().find(batch)).isEmpty();
  }

  @Test
  default void purge_dropsLogLines_withTheirJob(Bench bench) {
    ClaimedJob claimed = bench.running();
    bench.store().log(claimed.ref(), List.of("line"));
    bench.finish(claimed.ref(), Verdicts.end(JobState.COMPLETED, Duration.ofHours(1)));
    bench.advance(DAY.plus(WELL_AFTER));
    bench.store().purge();
    assertThat(bench.store().logs(claimed.ref().job())).isEmpty();
  }

  @Test
  default void purge_onManyInstancesAtOnce_dropsNoneTooMany(Bench bench) {
    for (int i = 0; i < 10; i++) {
      ended(bench, Duration.ofHours(1));
    }
    UUID kept = ended(bench, Duration.ofDays(30));
    UUID waiting = bench.add();
    bench.advance(DAY.plus(WELL_AFTER));
    Together.run(4, i -> () -> (i % 2 == 0 ? bench.store() : bench.other()).purge());
    assertThat(bench.listed(JobFilter.all())).containsExactly(waiting, kept);
  }

  private static UUID ended(Bench bench, Duration keepFor) {
    ClaimedJob claimed = bench.claim(bench.add(Draft.job().type("brief")));
    assertThat(bench.finish(claimed.ref(), Verdicts.end(JobState.COMPLETED, keepFor)))
        .isTrue();
    return claimed.ref().job();
  }
}
