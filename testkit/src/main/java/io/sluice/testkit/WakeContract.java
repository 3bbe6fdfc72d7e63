package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.JobState;
import io.sluice.Predecessor;
import io.sluice.QueueSettings;
import io.sluice.Retention;
import io.sluice.WaitingJobs;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What lets a job go on that waits for others: every end of a job, by whatever means, and nothing else. */
public interface WakeContract extends StoreTopic {
  @Test
  default void whatIsNotAnEnd_wakesNobody(Bench bench) {
    UUID first = bench.add();
    UUID job = bench.add(Draft.job().type("b").after(first));
    for (Verdict verdict : List.of(
        Verdicts.retryIn(Duration.ofSeconds(5)),
        Verdicts.retryNow(),
        Verdicts.snooze(Duration.ofSeconds(5)),
        Verdicts.givenBack())) {
      bench.finish(bench.claim(first).ref(), verdict);
      assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
      bench.advance(Duration.ofSeconds(6));
      bench.store().promote(10);
      assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
    }
    bench.end(first, JobState.COMPLETED);
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void aFinishThatCameTooLate_wakesNobody(Bench bench) {
    UUID first = bench.add();
    UUID job = bench.add(Draft.job().type("b").after(first));
    ClaimedJob stale = bench.claim(first);
    bench.finish(stale.ref(), Verdicts.givenBack());
    assertThat(bench.complete(stale)).isFalse();
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
  }

  @Test
  default void expiry_wakes(Bench bench) {
    UUID first = bench.add(Draft.job().expiresAt(bench.now().plusSeconds(10)));
    Woken woken = Woken.after(bench, first);
    bench.advance(Duration.ofSeconds(11));
    assertThat(bench.store().expire(10)).containsExactly(first);
    woken.by(first, JobState.CANCELLED);
  }

  @Test
  default void expiry_ofAWaitingJob_wakesThoseBehindIt(Bench bench) {
    UUID first = bench.add();
    UUID second =
        bench.add(Draft.job().type("b").after(first).expiresAt(bench.now().plusSeconds(10)));
    Woken woken = Woken.after(bench, second);
    bench.advance(Duration.ofSeconds(11));
    assertThat(bench.store().expire(10)).containsExactly(second);
    woken.by(second, JobState.CANCELLED);
    assertThat(bench.state(first)).isEqualTo(JobState.PENDING);
  }

  @Test
  default void cancel_wakes_whateverStateItEnds(Bench bench) {
    for (JobState state : JobState.values()) {
      if (!state.isFinal()) {
        UUID first = bench.addIn(state, Draft.job().type("t" + state));
        Woken woken = Woken.after(bench, first);
        bench.store().cancel(first, "no", Verdicts.KEEP);
        woken.by(first, JobState.CANCELLED);
      }
    }
  }

  @Test
  default void cancelOfAWaitingJob_wakesThoseBehindIt_andIsNotWokenLater(Bench bench) {
    UUID first = bench.add();
    UUID second = bench.add(Draft.job().type("b").after(first));
    Woken woken = Woken.after(bench, second);
    bench.store().cancel(second, "no", Verdicts.KEEP);
    woken.by(second, JobState.CANCELLED);
    bench.end(first, JobState.COMPLETED);
    assertThat(bench.state(second)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.reason(second)).isEqualTo("no");
  }

  @Test
  default void cancelWaiting_wakes_andTakesWhatWaitsForOthersToo(Bench bench) {
    bench.makeQueue("doomed");
    UUID first = bench.add(Draft.job().queue("doomed"));
    UUID second = bench.add(Draft.job().queue("doomed").type("b").after(first));
    UUID outside = bench.add(Draft.job().type("c"));
    UUID third = bench.add(Draft.job().queue("doomed").type("c").after(outside));
    Woken woken = Woken.after(bench, first);
    bench.store().cancelWaiting(WaitingJobs.ofQueue("default", "doomed"), "no", Verdicts.KEEP, 100);
    woken.by(first, JobState.CANCELLED);
    assertThat(bench.state(second)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.state(third)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.reason(third)).isEqualTo("no");
  }

  @Test
  default void aLostClaimThatIsGivenUp_wakes(Bench bench) {
    long worker = bench.worker("w", Duration.ofSeconds(30));
    UUID first = bench.add();
    bench.claim(worker, first);
    Woken woken = Woken.after(bench, first);
    bench.advance(Duration.ofSeconds(31));
    assertThat(bench.finish(bench.lostClaims().getFirst().ref(), Verdicts.dead("WORKER_LOST")))
        .isTrue();
    woken.by(first, JobState.DEAD);
  }

  @Test
  default void aLostClaimThatRunsAgain_wakesNobody(Bench bench) {
    long worker = bench.worker("w", Duration.ofSeconds(30));
    UUID first = bench.add();
    bench.claim(worker, first);
    UUID job = bench.add(Draft.job().type("b").after(first));
    bench.advance(Duration.ofSeconds(31));
    bench.finish(bench.lostClaims().getFirst().ref(), Verdicts.givenBack());
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
  }

  @Test
  default void manyInOneFinish_wakeManyThatWaitForAllOfThem_onceEach(Bench bench) {
    List<UUID> before = bench.add(40);
    List<Predecessor> all = before.stream().map(Predecessor::of).toList();
    List<UUID> behind = bench.add(30, Draft.job().type("b").after(all));
    List<ClaimedJob> claimed = bench.claim(40);
    finish(bench, claimed.subList(0, 39));
    assertThat(behind)
        .allSatisfy(job -> assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED));
    finish(bench, claimed.subList(39, 40));
    assertThat(Bench.idsOf(bench.claim(100))).containsExactlyInAnyOrderElementsOf(behind);
  }

  @Test
  default void oneFinish_wakesAFanInAndAFanOut(Bench bench) {
    UUID hub = bench.add();
    List<UUID> before = bench.add(300);
    UUID last = bench.add(
        Draft.job().type("last").after(before.stream().map(Predecessor::of).toList()));
    List<UUID> behind = bench.add(300, Draft.job().type("b").after(hub));
    finish(bench, bench.claim(301));
    assertThat(bench.state(last)).isEqualTo(JobState.PENDING);
    assertThat(Bench.idsOf(bench.claim(500))).hasSize(301).contains(last).containsAll(behind);
  }

  @Test
  default void deathAndCompletion_inOneFinish_cancelBecauseOfTheDeadOne(Bench bench) {
    List<UUID> before = bench.add(2);
    UUID job = bench.add(Draft.job().type("b").after(before.get(0), before.get(1)));
    List<ClaimedJob> claimed = bench.claim(2);
    bench
        .store()
        .finish(List.of(
            new Finish(claimed.get(0).ref(), Verdicts.completed()),
            new Finish(claimed.get(1).ref(), Verdicts.dead("boom"))));
    assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED);
    assertThat(bench.reason(job))
        .isEqualTo("job " + before.get(1) + ", which it waits for, is DEAD");
  }

  private static void finish(Bench bench, List<ClaimedJob> claimed) {
    bench
        .store()
        .finish(claimed.stream()
            .map(job -> new Finish(job.ref(), Verdicts.completed()))
            .toList());
  }

  @Test
  default void cancelsByPolicy_goOnThroughEveryLevel(Bench bench) {
    UUID a = bench.add();
    UUID b = bench.add(Draft.job().type("b").after(a));
    UUID c = bench.add(Draft.job().type("c").after(b));
    UUID d = bench.add(Draft.job().type("d").after(c));
    UUID watch = bench.add(Draft.job().type("w").after(d).policy(AfterPolicy.IF_FAILED));
    bench.end(a, JobState.DEAD);
    assertThat(bench.reason(b)).isEqualTo("job " + a + ", which it waits for, is DEAD");
    assertThat(bench.reason(c)).isEqualTo("job " + b + ", which it waits for, is CANCELLED");
    assertThat(bench.reason(d)).isEqualTo("job " + c + ", which it waits for, is CANCELLED");
    assertThat(List.of(b, c, d))
        .allSatisfy(job -> assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED));
    assertThat(bench.state(watch)).isEqualTo(JobState.PENDING);
    assertThat(bench.store().heads()).hasSize(1);
  }

  @Test
  default void cancelByPolicy_keepsTheJob_asItsQueueSays(Bench bench) {
    Retention retention = new Retention(Duration.ofDays(1), Duration.ofDays(30));
    bench.store().queues().save(QueueSettings.of("long").withRetention(retention));
    UUID first = bench.add();
    UUID job = bench.add(Draft.job().queue("long").after(first));
    bench.end(first, JobState.DEAD);
    bench.advance(Duration.ofDays(29));
    bench.store().purge();
    assertThat(bench.state(job)).isEqualTo(JobState.CANCELLED);
    bench.advance(Duration.ofDays(1).plus(RetentionContract.WELL_AFTER));
    bench.store().purge();
    assertThat(bench.store().find(job)).isEmpty();
  }

  @Test
  default void aCancelledSuccessorThatIsReplayed_runsWithoutWaiting_andOnce(Bench bench) {
    UUID first = bench.add();
    UUID job = bench.add(Draft.job().type("b").after(first));
    bench.store().cancel(job, "no", Verdicts.KEEP);
    assertThat(bench.store().replay(job)).isTrue();
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
    bench.end(job, JobState.RETRYING);
    bench.end(first, JobState.COMPLETED);
    assertThat(bench.state(job)).isEqualTo(JobState.RETRYING);
  }

  @Test
  default void theLastTwoAtOnce_wakeTheirSuccessorOnce(Bench bench) {
    for (int round = 0; round < 20; round++) {
      List<UUID> before = bench.add(2);
      UUID job = bench.add(Draft.job().type("b").after(before.get(0), before.get(1)));
      List<ClaimedJob> claimed = bench.claim(2);
      List<JobStore> stores = List.of(bench.store(), bench.other());
      Together.run(
          2,
          i -> () -> stores
              .get(i)
              .finish(List.of(new Finish(claimed.get(i).ref(), Verdicts.completed()))));
      ClaimedJob woken = bench.claim(job);
      assertThat(woken.ref().turn()).isEqualTo(1);
      bench.complete(woken);
    }
  }

  @Test
  default void anInsert_besidesTheEndOfItsPredecessor_isNeverForgotten(Bench bench) {
    for (int round = 0; round < 20; round++) {
      ClaimedJob first = bench.claim(bench.add());
      var job = bench.made(Draft.job().type("b").after(first.ref().job()));
      List<JobStore> stores = List.of(bench.store(), bench.other());
      Together.run(
          2,
          i -> () -> i == 0
              ? stores.get(0).finish(List.of(new Finish(first.ref(), Verdicts.completed())))
              : stores.get(1).insert(List.of(job)));
      bench.complete(bench.claim(job.id()));
    }
  }

  /** One successor of each policy, and what becomes of them when their predecessor fails. */
  record Woken(Bench bench, UUID cancel, UUID run, UUID hold, UUID ifFailed) {
    static Woken after(Bench bench, UUID first) {
      Draft draft = Draft.job().type("woken").after(first);
      return new Woken(
          bench,
          bench.add(draft),
          bench.add(draft.policy(AfterPolicy.RUN)),
          bench.add(draft.policy(AfterPolicy.HOLD)),
          bench.add(draft.policy(AfterPolicy.IF_FAILED)));
    }

    void by(UUID first, JobState state) {
      assertThat(bench.state(cancel)).isEqualTo(JobState.CANCELLED);
      assertThat(bench.reason(cancel))
          .isEqualTo("job " + first + ", which it waits for, is " + state);
      assertThat(bench.state(run)).isEqualTo(JobState.PENDING);
      assertThat(bench.state(hold)).isEqualTo(JobState.SCHEDULED);
      assertThat(bench.find(hold).status().runAt()).isNull();
      assertThat(bench.state(ifFailed)).isEqualTo(JobState.PENDING);
    }
  }
}
