package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.CancelResult;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A claim that is over matches nothing and changes nothing. */
public interface FencingContract extends StoreTopic {
  @Test
  default void finish_isRefused_whenRepeated(Bench bench) {
    ClaimRef ref = bench.running().ref();
    assertThat(bench.finish(ref, Verdicts.completed("1"))).isTrue();
    refused(bench, ref, Verdicts.completed("2"));
  }

  @Test
  default void finish_isRefused_whenAnotherVerdictCameFirst(Bench bench) {
    for (JobState state : List.of(JobState.DEAD, JobState.RETRYING, JobState.SCHEDULED)) {
      ClaimRef ref = bench.running().ref();
      bench.finish(ref, Verdicts.into(state));
      refused(bench, ref, Verdicts.completed());
    }
  }

  @Test
  default void finish_isRefused_afterGivenBack(Bench bench) {
    ClaimRef ref = bench.running().ref();
    bench.finish(ref, Verdicts.givenBack());
    refused(bench, ref, Verdicts.completed());
  }

  @Test
  default void finish_isRefused_afterCancel(Bench bench) {
    ClaimRef ref = bench.running().ref();
    bench.store().cancel(ref.job(), "not wanted", Verdicts.KEEP);
    refused(bench, ref, Verdicts.completed());
    refused(bench, ref, Verdicts.retryNow());
  }

  @Test
  default void finish_isRefused_afterRescue(Bench bench) {
    long worker = bench.worker("lost", Duration.ofSeconds(30));
    ClaimRef ref = bench.claim(worker, bench.add()).ref();
    bench.advance(Duration.ofSeconds(31));
    ClaimRef lost = bench.lostClaims().getFirst().ref();
    assertThat(bench.finish(lost, Verdicts.struck(new Strikes(1, 0)))).isTrue();
    refused(bench, ref, Verdicts.completed());
  }

  @Test
  default void finish_isRefused_whileTheJobRunsInALaterTurn(Bench bench) {
    UUID job = bench.add();
    ClaimRef old = bench.claim(job).ref();
    bench.finish(old, Verdicts.retryNow());
    ClaimRef current = bench.claim(job).ref();
    for (JobState state : JobState.RUNNING.next()) {
      refused(bench, old, Verdicts.into(state));
    }
    assertThat(bench.finish(current, Verdicts.completed())).isTrue();
  }

  @Test
  default void finish_isRefused_forATurnThatNeverWas(Bench bench) {
    ClaimRef ref = bench.running().ref();
    refused(bench, new ClaimRef(ref.job(), ref.turn() + 1, ref.worker()), Verdicts.completed());
    refused(bench, new ClaimRef(ref.job(), ref.turn() - 1, ref.worker()), Verdicts.completed());
    assertThat(bench.finish(ref, Verdicts.completed())).isTrue();
  }

  @Test
  default void everyWrite_isRefused_toAWorkerThatDidNotClaim(Bench bench) {
    ClaimRef ref = bench.running().ref();
    long other = bench.worker("other", Duration.ofHours(1));
    ClaimRef foreign = new ClaimRef(ref.job(), ref.turn(), other);
    for (JobState state : JobState.RUNNING.next()) {
      refused(bench, foreign, Verdicts.into(state));
    }
    JobRecord before = bench.find(ref.job());
    assertThat(bench.store().started(foreign, true)).isFalse();
    assertThat(bench.store().progress(foreign, 50, "half")).isFalse();
    assertThat(bench.store().log(foreign, List.of("a line"))).isFalse();
    assertThat(bench.find(ref.job())).isEqualTo(before);
    assertThat(bench.store().logs(ref.job())).isEmpty();
    assertThat(bench.finish(ref, Verdicts.completed())).isTrue();
  }

  @Test
  default void finish_tellsTokensApart_thatDifferInTheWorkerAlone(Bench bench) {
    ClaimRef ref = bench.running().ref();
    ClaimRef foreign = new ClaimRef(ref.job(), ref.turn(), ref.worker() + 1);
    assertThat(bench
            .store()
            .finish(List.of(
                new Finish(foreign, Verdicts.retryNow()), new Finish(ref, Verdicts.completed()))))
        .containsExactly(ref);
    assertThat(bench.state(ref.job())).isEqualTo(JobState.COMPLETED);
    ClaimRef again = bench.running().ref();
    ClaimRef dead = new ClaimRef(again.job(), again.turn(), again.worker() + 1);
    assertThat(bench
            .store()
            .finish(List.of(
                new Finish(dead, Verdicts.dead("no")), new Finish(again, Verdicts.completed("1")))))
        .containsExactly(again);
    assertThat(bench.state(again.job())).isEqualTo(JobState.COMPLETED);
  }

  @Test
  default void finish_isRefused_forAWaitingJob(Bench bench) {
    UUID job = bench.add();
    for (int turn = 0; turn < 3; turn++) {
      refused(bench, new ClaimRef(job, turn, bench.worker()), Verdicts.completed());
    }
  }

  @Test
  default void finish_isRefused_forAnUnknownJob(Bench bench) {
    UUID nobody = bench.made(Draft.job()).id();
    assertThat(bench.finish(new ClaimRef(nobody, 1, bench.worker()), Verdicts.completed()))
        .isFalse();
    assertThat(bench.store().find(nobody)).isEmpty();
  }

  @Test
  default void finish_isRefused_forADeletedJob(Bench bench) {
    ClaimRef ref = bench.running().ref();
    bench.finish(ref, Verdicts.dead("no"));
    bench.store().delete(ref.job());
    assertThat(bench.finish(ref, Verdicts.retryNow())).isFalse();
    assertThat(bench.store().find(ref.job())).isEmpty();
    assertThat(bench.claim(1)).isEmpty();
  }

  @Test
  default void finish_isRefused_afterReplay(Bench bench) {
    ClaimRef ref = bench.running().ref();
    bench.finish(ref, Verdicts.dead("no"));
    bench.store().replay(ref.job());
    refused(bench, ref, Verdicts.completed());
    ClaimRef current = bench.claim(ref.job()).ref();
    refused(bench, ref, Verdicts.completed());
    assertThat(bench.finish(current, Verdicts.completed())).isTrue();
  }

  @Test
  default void finish_leavesOutOneStaleClaim_amongAHundred(Bench bench) {
    bench.add(100);
    List<ClaimedJob> claimed = bench.claim(100);
    ClaimRef stale = claimed.get(57).ref();
    bench.store().cancel(stale.job(), "not wanted", Verdicts.KEEP);
    List<Finish> finishes =
        claimed.stream().map(c -> new Finish(c.ref(), Verdicts.completed())).toList();
    Set<ClaimRef> done = bench.store().finish(finishes);
    assertThat(done).hasSize(99).doesNotContain(stale);
    assertThat(bench.state(stale.job())).isEqualTo(JobState.CANCELLED);
    assertThat(bench.state(claimed.get(99).ref().job())).isEqualTo(JobState.COMPLETED);
  }

  @Test
  default void finish_writesTheGood_besideEveryKindOfStale(Bench bench) {
    bench.add(3);
    List<ClaimedJob> claimed = bench.claim(3);
    bench.complete(claimed.get(0));
    UUID nobody = bench.made(Draft.job()).id();
    List<Finish> finishes = new ArrayList<>();
    finishes.add(new Finish(new ClaimRef(nobody, 1, bench.worker()), Verdicts.dead("ghost")));
    for (ClaimedJob c : claimed) {
      finishes.add(new Finish(c.ref(), Verdicts.retryIn(Duration.ofSeconds(9))));
    }
    ClaimRef second = claimed.get(1).ref();
    finishes.add(
        new Finish(new ClaimRef(second.job(), 999, second.worker()), Verdicts.completed()));
    finishes.add(new Finish(
        new ClaimRef(second.job(), second.turn(), second.worker() + 1), Verdicts.completed()));
    assertThat(bench.store().finish(finishes))
        .containsExactlyInAnyOrder(claimed.get(1).ref(), claimed.get(2).ref());
    assertThat(bench.state(claimed.get(0).ref().job())).isEqualTo(JobState.COMPLETED);
    assertThat(bench.state(claimed.get(1).ref().job())).isEqualTo(JobState.RETRYING);
    assertThat(bench.state(claimed.get(2).ref().job())).isEqualTo(JobState.RETRYING);
  }

  @Test
  default void finish_takesEffectOnce_amongConcurrentCallers(Bench bench) {
    ClaimRef ref = bench.running().ref();
    List<Boolean> effects = Together.run(
        8,
        i -> () -> (i % 2 == 0 ? bench.store() : bench.other())
            .finish(List.of(new Finish(ref, i < 4 ? Verdicts.completed() : Verdicts.retryNow())))
            .contains(ref));
    assertThat(effects).filteredOn(effect -> effect).hasSize(1);
  }

  @Test
  default void finish_orCancel_hasOneWinner(Bench bench) {
    for (int round = 0; round < 10; round++) {
      ClaimRef ref = bench.running().ref();
      List<Boolean> won = Together.run(
          2,
          i -> () -> i == 0
              ? bench.finish(ref, Verdicts.completed())
              : bench.other().cancel(ref.job(), "race", Verdicts.KEEP) == CancelResult.CANCELLED);
      assertThat(won).containsExactlyInAnyOrder(true, false);
      assertThat(bench.state(ref.job()))
          .isEqualTo(won.getFirst() ? JobState.COMPLETED : JobState.CANCELLED);
    }
  }

  @Test
  default void started_isRefused_onceTheClaimIsOver(Bench bench) {
    ClaimRef ref = bench.running().ref();
    bench.store().cancel(ref.job(), "not wanted", Verdicts.KEEP);
    JobRecord before = bench.find(ref.job());
    assertThat(bench.store().started(ref, false)).isFalse();
    assertThat(bench.find(ref.job())).isEqualTo(before);
  }

  @Test
  default void started_isRefused_forAnOldTurn(Bench bench) {
    UUID job = bench.add();
    ClaimRef old = bench.claim(job).ref();
    bench.finish(old, Verdicts.givenBack());
    ClaimRef current = bench.claim(job).ref();
    assertThat(bench.store().started(old, false)).isFalse();
    assertThat(bench.store().started(current, false)).isTrue();
  }

  private static void refused(Bench bench, ClaimRef ref, Verdict verdict) {
    JobRecord before = bench.find(ref.job());
    assertThat(bench.finish(ref, verdict)).isFalse();
    assertThat(bench.find(ref.job())).isEqualTo(before);
  }
}
