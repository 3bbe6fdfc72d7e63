package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.CancelResult;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.LostClaim;
import io.sluice.store.Strikes;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The nine promises of Sluice, as far as a store alone can keep them. */
public interface PromiseContract extends StoreTopic {
  @Test
  default void promise1_anAnsweredJobIsThere_forEveryInstance(Bench bench) {
    List<UUID> jobs = bench.add(10);
    assertThat(jobs).allSatisfy(job -> assertThat(bench.other().find(job)).isPresent());
  }

  @Test
  default void promise2_everyJobEndsOnce_untilAPersonReplaysIt(Bench bench) {
    for (JobState end : JobState.RUNNING.next()) {
      if (end.isFinal()) {
        ClaimedJob job = bench.claim(bench.add(Draft.job().type("t" + end)));
        assertThat(bench.finish(job.ref(), Verdicts.into(end))).isTrue();
        assertThat(bench.complete(job)).isFalse();
        assertThat(bench.store().cancel(job.ref().job(), "no", Verdicts.KEEP))
            .isEqualTo(CancelResult.ALREADY_FINISHED);
        assertThat(bench.state(job.ref().job())).isEqualTo(end);
        assertThat(bench.store().replay(job.ref().job())).isEqualTo(end.isReplayable());
      }
    }
  }

  @Test
  default void promise2_nothingUnrunIsDeletedByAge(Bench bench) {
    UUID job = bench.add();
    for (int season = 0; season < 4; season++) {
      bench.advance(Duration.ofDays(100));
      bench.store().purge();
      bench.store().expire(100);
    }
    assertThat(bench.complete(bench.claim(job))).isTrue();
  }

  @Test
  default void promise3_aJobHasOneLiveClaim_andALateWriteChangesNothing(Bench bench) {
    long lost = bench.worker("lost", Duration.ofSeconds(30));
    ClaimedJob late = bench.claim(lost, bench.add());
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.finish(late.ref(), Verdicts.struck(new Strikes(1, 0)))).isTrue();
    ClaimedJob current = bench.claimOne();
    assertThat(bench.complete(late)).isFalse();
    assertThat(bench.store().progress(late.ref(), 50, "late")).isFalse();
    assertThat(bench.state(late.ref().job())).isEqualTo(JobState.RUNNING);
    assertThat(bench.complete(current)).isTrue();
    assertThat(bench.complete(late)).isFalse();
  }

  @Test
  default void promise4_theJobsOfADeadWorkerRunAgain(Bench bench) {
    long dead = bench.worker("dead", Duration.ofSeconds(30));
    List<UUID> jobs = bench.add(5);
    assertThat(bench.claim(dead, 5)).hasSize(5);
    bench.advance(Duration.ofSeconds(31));
    bench.lostClaims().forEach(claim -> bench.finish(claim.ref(), Verdicts.givenBack()));
    assertThat(Bench.idsOf(bench.claim(10))).isEqualTo(jobs);
  }

  @Test
  default void promise5_aJobIsGivenAgain_onlyOnceItsLeaseIsLost_underTheSameId(Bench bench) {
    long worker = bench.worker("w", Duration.ofSeconds(30));
    ClaimedJob first = bench.claim(worker, bench.add());
    bench.advance(Duration.ofSeconds(29));
    assertThat(bench.lostClaims()).isEmpty();
    assertThat(bench.claim(10)).isEmpty();
    bench.advance(Duration.ofSeconds(2));
    bench.lostClaims().forEach(claim -> bench.finish(claim.ref(), Verdicts.givenBack()));
    ClaimedJob second = bench.claimOne();
    assertThat(second.ref().job()).isEqualTo(first.ref().job());
    assertThat(second.ref().turn()).isGreaterThan(first.ref().turn());
  }

  @Test
  default void promise6_workIsFoundByLooking_whereNobodyListened(Bench bench) {
    UUID job = bench.add();
    UUID later = bench.add(Draft.job().in(Duration.ofSeconds(1)));
    bench.advance(Duration.ofSeconds(2));
    assertThat(bench.other().promote(10).moved()).isEqualTo(1);
    assertThat(Bench.idsOf(bench.claim(bench.other(), bench.worker(), 10)))
        .containsExactly(job, later);
  }

  @Test
  default void promise7_aCapHolds_overInstances(Bench bench) {
    bench.store().queues().save(QueueSettings.of("small").withMaxSize(5L));
    int taken = 0;
    for (int i = 0; i < 10; i++) {
      JobStore store = i % 2 == 0 ? bench.store() : bench.other();
      try {
        taken += store.insert(List.of(bench.made(Draft.job().queue("small")))).size();
      } catch (SluiceException e) {
        assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_FULL);
      }
    }
    assertThat(taken).isEqualTo(5);
  }

  @Test
  default void promise7_aJobHeldBack_spendsNoAttempt(Bench bench) {
    UUID held = bench.add(Draft.job().type("held"));
    bench.add(5, Draft.job().type("free"));
    bench
        .claimLane(bench.worker(), Draft.job().type("free").lane(), 10, 10)
        .forEach(bench::complete);
    assertThat(bench.find(held).attempt()).isZero();
    assertThat(bench.claim(held).attempt()).isEqualTo(1);
  }

  @Test
  default void promise8_whatWasGivenBack_isNotAnAttempt(Bench bench) {
    UUID job = bench.add();
    for (int i = 0; i < 5; i++) {
      bench.finish(bench.claim(job).ref(), Verdicts.givenBack());
    }
    assertThat(bench.claim(job).attempt()).isEqualTo(1);
  }

  @Test
  default void promise8_aLostLease_isAStrikeAndNotAnAttempt(Bench bench) {
    UUID job = bench.add();
    for (int strike = 1; strike <= 3; strike++) {
      bench.claim(bench.worker("w", Duration.ofSeconds(30)), job);
      bench.advance(Duration.ofSeconds(31));
      LostClaim lost = bench.lostClaims().getFirst();
      Strikes struck = lost.strikes().struck();
      bench.finish(lost.ref(), Verdicts.struck(struck));
      assertThat(bench.find(job).status().strikes()).isEqualTo(strike);
      assertThat(bench.find(job).attempt()).isZero();
    }
  }

  @Test
  default void promise9_aDuplicate_failsNobodyInItsCall(Bench bench) {
    bench.add(Draft.job().key("k"));
    List<Enqueued> answers = bench.insert(Draft.job(), Draft.job().key("k"), Draft.job());
    assertThat(answers).extracting(Enqueued::duplicate).containsExactly(false, true, false);
    assertThat(bench.claim(10)).hasSize(3);
  }

  @Test
  default void promise9_aStaleClaim_failsNobodyInItsCall(Bench bench) {
    bench.add(3);
    List<ClaimedJob> claimed = bench.claim(3);
    bench.store().cancel(claimed.get(1).ref().job(), "no", Verdicts.KEEP);
    List<Finish> finishes =
        claimed.stream().map(c -> new Finish(c.ref(), Verdicts.completed())).toList();
    assertThat(bench.store().finish(finishes))
        .containsExactlyInAnyOrder(claimed.get(0).ref(), claimed.get(2).ref());
  }
}
