package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.LostClaim;
import io.sluice.store.LostWorker;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How the claims of lost workers are found, and brought back by a verdict on them. */
public interface RescueContract extends StoreTopic {
  Duration SHORT_LEASE = Duration.ofSeconds(30);

  @Test
  default void lost_isEmpty_whileLeasesStand(Bench bench) {
    bench.claim(bench.worker("w", SHORT_LEASE), bench.add());
    bench.advance(Duration.ofSeconds(29));
    assertThat(bench.store().workers().lost(10)).isEmpty();
  }

  @Test
  default void lost_showsTheWorkerAndItsClaims(Bench bench) {
    WorkerSpec spec = new WorkerSpec("mole", 2, Set.of("a", "b"), Set.of("b"));
    long worker = bench.store().workers().register(spec, SHORT_LEASE);
    UUID job = bench.add(Draft.job().type("a"));
    ClaimedJob claimed = bench.claim(worker, job);
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.store().workers().lost(10))
        .containsExactly(new LostWorker(
            worker,
            "mole",
            Set.of("b"),
            List.of(new LostClaim(
                claimed.ref(), claimed.lane(), 1, Strikes.NONE, false, false, false))));
  }

  @Test
  default void lost_knowsWhatWasStarted(Bench bench) {
    long worker = bench.worker("w", SHORT_LEASE);
    bench.add(2);
    List<ClaimedJob> claimed = bench.claim(worker, 2);
    bench.store().started(claimed.get(1).ref(), false);
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.lostClaims())
        .filteredOn(LostClaim::started)
        .extracting(LostClaim::ref)
        .containsExactly(claimed.get(1).ref());
    assertThat(bench.lostClaims()).hasSize(2);
  }

  @Test
  default void lost_knowsWhatRanAlone_untilSomebodyJoinedIt(Bench bench) {
    long worker = bench.worker("w", SHORT_LEASE);
    bench.add(2);
    List<ClaimedJob> claimed = bench.claim(worker, 2);
    for (ClaimedJob job : claimed) {
      assertThat(bench.store().started(job.ref(), true)).isTrue();
    }
    assertThat(bench.other().started(claimed.get(0).ref(), false)).isTrue();
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.lostClaims()).allMatch(LostClaim::started);
    assertThat(bench.lostClaims())
        .filteredOn(LostClaim::alone)
        .extracting(LostClaim::ref)
        .containsExactly(claimed.get(1).ref());
  }

  @Test
  default void lost_knowsStartOfThisTurnOnly(Bench bench) {
    long worker = bench.worker("w", SHORT_LEASE);
    UUID job = bench.add();
    ClaimRef first = bench.claim(worker, job).ref();
    bench.store().started(first, true);
    bench.finish(first, Verdicts.retryNow());
    bench.claim(worker, job);
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.lostClaims()).noneMatch(lost -> lost.started() || lost.alone());
  }

  @Test
  default void lost_carriesAttemptAndStrikes(Bench bench) {
    UUID job = bench.add();
    bench.finish(bench.claim(job).ref(), Verdicts.retryNow());
    bench.finish(bench.claim(job).ref(), Verdicts.struck(new Strikes(1, 4)));
    bench.claim(bench.worker("w", SHORT_LEASE), job);
    bench.advance(Duration.ofSeconds(31));
    LostClaim lost = bench.lostClaims().getFirst();
    assertThat(lost.attempt()).isEqualTo(2);
    assertThat(lost.strikes()).isEqualTo(new Strikes(1, 4));
  }

  @Test
  default void lost_leavesOutFinishedClaims(Bench bench) {
    long worker = bench.worker("w", SHORT_LEASE);
    bench.add(3);
    List<ClaimedJob> claimed = bench.claim(worker, 3);
    bench.complete(claimed.get(0));
    bench.finish(claimed.get(1).ref(), Verdicts.retryNow());
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.lostClaims())
        .extracting(LostClaim::ref)
        .containsExactly(claimed.get(2).ref());
  }

  @Test
  default void lost_leavesOutWorkersThatHoldNothing(Bench bench) {
    for (int i = 0; i < 20; i++) {
      bench.worker("idle" + i, SHORT_LEASE);
    }
    long busy = bench.worker("busy", SHORT_LEASE);
    bench.claim(busy, bench.add());
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.store().workers().lost(5)).extracting(LostWorker::id).containsExactly(busy);
  }

  @Test
  default void lost_showsNoMoreWorkersThanAsked_eachWithAllItsClaims(Bench bench) {
    for (int i = 0; i < 3; i++) {
      long worker = bench.worker("w" + i, SHORT_LEASE);
      bench.add(4);
      assertThat(bench.claim(worker, 4)).hasSize(4);
    }
    bench.advance(Duration.ofSeconds(31));
    List<LostWorker> lost = bench.store().workers().lost(2);
    assertThat(lost).hasSize(2).allSatisfy(worker -> assertThat(worker.claims()).hasSize(4));
  }

  @Test
  default void lost_comesToEveryWorker_asTheFirstAreRescued(Bench bench) {
    for (int i = 0; i < 5; i++) {
      bench.claim(bench.worker("w" + i, SHORT_LEASE), bench.add());
    }
    bench.advance(Duration.ofSeconds(31));
    for (int i = 0; i < 5; i++) {
      LostWorker worker = bench.store().workers().lost(1).getFirst();
      assertThat(bench.finish(worker.claims().getFirst().ref(), Verdicts.givenBack()))
          .isTrue();
    }
    assertThat(bench.store().workers().lost(1)).isEmpty();
    assertThat(bench.claim(10)).hasSize(5);
  }

  @Test
  default void lost_changesNothing(Bench bench) {
    ClaimedJob claimed = bench.claim(bench.worker("w", SHORT_LEASE), bench.add());
    bench.advance(Duration.ofSeconds(31));
    List<LostWorker> first = bench.store().workers().lost(10);
    assertThat(bench.other().workers().lost(10)).isEqualTo(first);
    assertThat(bench.state(claimed.ref().job())).isEqualTo(JobState.RUNNING);
    assertThat(bench.claim(1)).as("not ready before somebody rescues it").isEmpty();
  }

  @Test
  default void lost_knowsFragileTypes_ofAWorkerThatLeft(Bench bench) {
    WorkerSpec spec = new WorkerSpec("w", 1, Set.of(Draft.TYPE), Set.of(Draft.TYPE));
    long worker = bench.store().workers().register(spec, SHORT_LEASE);
    bench.claim(worker, bench.add());
    bench.store().workers().leave(worker);
    assertThat(bench.store().workers().lost(10))
        .extracting(LostWorker::fragileTypes)
        .containsExactly(Set.of(Draft.TYPE));
  }

  @Test
  default void lost_findsClaims_howeverLongAgo(Bench bench) {
    ClaimedJob claimed = bench.claim(bench.worker("w", SHORT_LEASE), bench.add());
    bench.advance(Duration.ofDays(91));
    assertThat(bench.store().workers().lost(10)).hasSize(1);
    assertThat(bench.lostClaims()).extracting(LostClaim::ref).containsExactly(claimed.ref());
  }

  @Test
  default void lost_tellsWorkersOfTheSameNameApart(Bench bench) {
    long dead = bench.worker("host-1", SHORT_LEASE);
    bench.claim(dead, bench.add());
    bench.advance(Duration.ofSeconds(20));
    long restarted = bench.worker("host-1", SHORT_LEASE);
    ClaimRef alive = bench.claim(restarted, bench.add()).ref();
    bench.advance(Duration.ofSeconds(15));
    assertThat(bench.store().workers().lost(10)).extracting(LostWorker::id).containsExactly(dead);
    assertThat(bench.finish(alive, Verdicts.completed())).isTrue();
  }

  @Test
  default void rescue_bringsTheJobBack_withItsStrike(Bench bench) {
    ClaimedJob claimed = bench.claim(bench.worker("w", SHORT_LEASE), bench.add());
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.finish(claimed.ref(), Verdicts.struck(new Strikes(1, 0)))).isTrue();
    ClaimedJob again = bench.claimOne();
    assertThat(again.ref().job()).isEqualTo(claimed.ref().job());
    assertThat(again.attempt()).isEqualTo(1);
    assertThat(again.strikes()).isEqualTo(new Strikes(1, 0));
  }

  @Test
  default void rescue_canEndTheJob(Bench bench) {
    ClaimedJob claimed = bench.claim(bench.worker("w", SHORT_LEASE), bench.add());
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.finish(claimed.ref(), Verdicts.dead("WORKER_LOST"))).isTrue();
    assertThat(bench.state(claimed.ref().job())).isEqualTo(JobState.DEAD);
    assertThat(bench.lostClaims()).isEmpty();
  }

  @Test
  default void rescue_ofAJobThatFinishedMeanwhile_changesNothing(Bench bench) {
    ClaimedJob claimed = bench.claim(bench.worker("w", SHORT_LEASE), bench.add());
    bench.advance(Duration.ofSeconds(31));
    ClaimRef seen = bench.lostClaims().getFirst().ref();
    bench.complete(claimed);
    assertThat(bench.finish(seen, Verdicts.struck(new Strikes(1, 0)))).isFalse();
    assertThat(bench.state(seen.job())).isEqualTo(JobState.COMPLETED);
  }

  @Test
  default void rescue_ofAJobThatStartedMeanwhile_isJudgedAnew(Bench bench) {
    ClaimedJob claimed = bench.claim(bench.worker("w", SHORT_LEASE), bench.add());
    bench.advance(Duration.ofSeconds(31));
    LostClaim seen = bench.lostClaims().getFirst();
    assertThat(seen.started()).isFalse();
    assertThat(bench.store().started(claimed.ref(), false)).isTrue();
    for (Verdict verdict : List.of(Verdict.unspent(Strikes.NONE), Verdicts.into(JobState.DEAD))) {
      Finish finish = Finish.unlessStarted(seen.ref(), verdict);
      assertThat(bench.store().finish(List.of(finish))).isEmpty();
      assertThat(bench.store().tryFinish(List.of(finish))).isEmpty();
      assertThat(bench.state(seen.ref().job())).isEqualTo(JobState.RUNNING);
    }
    assertThat(bench.lostClaims().getFirst().started()).isTrue();
  }

  @Test
  default void rescue_ofAJobThatDidNotStart_keepsItFromStarting(Bench bench) {
    ClaimedJob claimed = bench.claim(bench.worker("w", SHORT_LEASE), bench.add());
    Finish finish = Finish.unlessStarted(claimed.ref(), Verdict.unspent(Strikes.NONE));
    assertThat(bench.store().finish(List.of(finish))).containsExactly(claimed.ref());
    assertThat(bench.store().started(claimed.ref(), false)).isFalse();
    assertThat(bench.state(claimed.ref().job())).isEqualTo(JobState.PENDING);
  }

  @Test
  default void rescue_happensOnce_onManyInstances(Bench bench) {
    long worker = bench.worker("w", SHORT_LEASE);
    bench.add(20);
    assertThat(bench.claim(worker, 20)).hasSize(20);
    bench.advance(Duration.ofSeconds(31));
    List<LostClaim> lost = bench.lostClaims();
    List<Long> rescued = Together.run(
        4,
        i -> () -> lost.stream()
            .filter(claim -> bench.finish(claim.ref(), Verdicts.struck(new Strikes(1, 1))))
            .count());
    assertThat(rescued.stream().mapToLong(Long::longValue).sum()).isEqualTo(20);
    assertThat(bench.claim(100)).hasSize(20);
  }

  @Test
  default void claim_ofAWorkerThatLeavesMeanwhile_isNeverForgotten(Bench bench) {
    for (int round = 0; round < 10; round++) {
      UUID job = bench.add();
      long worker = bench.worker("w", SHORT_LEASE);
      List<Integer> claimed = Together.run(2, i -> () -> {
        if (i == 0) {
          return bench.claim(worker, 1).size();
        }
        bench.other().workers().leave(worker);
        return 0;
      });
      List<LostClaim> lost = bench.lostClaims();
      assertThat(lost).hasSize(claimed.getFirst());
      lost.forEach(claim -> bench.finish(claim.ref(), Verdicts.givenBack()));
      bench.complete(bench.claim(job));
    }
  }

  @Test
  default void held_namesEveryClaimOfALiveWorker(Bench bench) {
    long worker = bench.worker("w", SHORT_LEASE);
    bench.add(3);
    List<ClaimedJob> claimed = bench.claim(worker, 3);
    bench.complete(claimed.get(0));
    assertThat(bench.store().workers().held(worker))
        .extracting(LostClaim::ref)
        .containsExactlyInAnyOrder(claimed.get(1).ref(), claimed.get(2).ref());
    assertThat(bench.store().workers().held(bench.worker("other", SHORT_LEASE))).isEmpty();
  }
}
