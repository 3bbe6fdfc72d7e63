package io.sluice.crashtest;

import static io.sluice.crashtest.Story.FIRST;
import static io.sluice.crashtest.Story.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Histories written by hand: those that break a promise must be flagged, and only those. */
class CheckerTest {
  private static final Work PLAIN = Story.work(1, Work.PLAIN, 0);
  private static final Work FLAKY = Story.work(2, Work.FLAKY, 1);
  private static final Work FRAGILE = Story.work(3, Work.FRAGILE, 0);

  private final Story story = new Story();

  private void flags(Finding.Kind... kinds) {
    assertThat(story.judged().findings().stream().map(Finding::kind).toList())
        .containsExactlyInAnyOrder(kinds);
  }

  @Test
  void aPlainHistory_isClean() {
    story.enqueued(0, PLAIN).ran(10, FIRST, PLAIN, 1, Entry.How.DONE).completed(PLAIN, 1);
    flags();
    assertThat(story.judged().figures())
        .containsEntry("jobs acknowledged", "1")
        .containsEntry("duplicate runs", "0");
  }

  @Test
  void acknowledgedAndAbsent_isLost() {
    story.enqueued(0, PLAIN);
    flags(Finding.Kind.LOST);
  }

  @Test
  void acknowledgedAndNotOver_isLost() {
    story.enqueued(0, PLAIN).row(PLAIN, new Row.Status(JobState.PENDING, 1, 1, 0, null, null), 0);
    flags(Finding.Kind.LOST);
  }

  @Test
  void claimThatItsHolderNeverHeardOf_isForgotten_ifItStands() {
    story.enqueued(0, PLAIN).ran(9_000, SECOND, PLAIN, 2, Entry.How.DONE).completed(PLAIN, 2);
    story.add(held(3_000));
    flags();
    story.add(held(5_100));
    flags(Finding.Kind.FORGOTTEN_CLAIM);
    story.fault(4_000, 4_100, FaultKind.PAUSE_WORKER, FIRST);
    flags();
  }

  @Test
  void claimThatItsHolderWasAnswered_isNotForgotten() {
    story.enqueued(0, PLAIN).ran(9_000, SECOND, PLAIN, 2, Entry.How.DONE).completed(PLAIN, 2);
    story
        .add(new Entry.Granted(1_000_000_000, FIRST, Story.id(1), 1))
        .add(held(3_000))
        .add(held(5_100));
    flags();
  }

  private static Entry held(long millis) {
    return new Entry.Held(millis * 1_000_000, FIRST, Story.id(1), 1);
  }

  @Test
  void inTheTablesAndNeverEnqueued_isAPhantom() {
    story.completed(PLAIN, 1).ran(10, FIRST, PLAIN, 1, Entry.How.DONE);
    assertThat(story.judged().count(Finding.Kind.PHANTOM)).isPositive();
  }

  @Test
  void ranAndNotInTheTables_isAPhantom() {
    story.ran(10, FIRST, PLAIN, 1, Entry.How.DONE);
    flags(Finding.Kind.PHANTOM);
  }

  @Test
  void outcomeOfARunThatNeverWas_isAPhantom() {
    story.enqueued(0, PLAIN).completed(PLAIN, 1);
    flags(Finding.Kind.PHANTOM);
  }

  @Test
  void anotherPayloadInTheTables_isWrong() {
    Work other = Story.work(1, Work.PLAIN, 3);
    story
        .enqueued(0, PLAIN)
        .ran(10, FIRST, PLAIN, 1, Entry.How.DONE)
        .row(new Row(
            Story.id(1),
            PLAIN.key(),
            other,
            1,
            1,
            new Row.Status(JobState.COMPLETED, 1, 1, 0, Story.run(PLAIN, 1), null),
            List.of()));
    flags(Finding.Kind.WRONG_PAYLOAD);
  }

  @Test
  void anotherPayloadInTheHandler_isWrong() {
    Work torn = new Work(1, Work.PLAIN, 1, 0, -1);
    story.enqueued(0, PLAIN).ran(10, FIRST, torn, 1, Entry.How.DONE).completed(PLAIN, 1);
    flags(Finding.Kind.WRONG_PAYLOAD);
  }

  @Test
  void twoJobsForOneKey_areFlagged() {
    story
        .enqueued(0, PLAIN)
        .ran(10, FIRST, PLAIN, 1, Entry.How.DONE)
        .completed(PLAIN, 1)
        .add(new Entry.Ok(50_000_000, "producer#9", PLAIN.key(), Story.id(77)));
    flags(Finding.Kind.KEY_TAKEN_TWICE);
  }

  @Test
  void twoEnds_areFlagged() {
    story
        .enqueued(0, PLAIN)
        .ran(10, FIRST, PLAIN, 1, Entry.How.DONE)
        .row(PLAIN, new Row.Status(JobState.COMPLETED, 1, 1, 0, Story.run(PLAIN, 1), null), 2);
    flags(Finding.Kind.FINISHED_TWICE);
  }

  @Test
  void oneAttemptFailedTwice_isFlagged() {
    story
        .enqueued(0, FLAKY)
        .ran(10, FIRST, FLAKY, 1, Entry.How.THREW)
        .ran(100, SECOND, FLAKY, 2, Entry.How.THREW)
        .ran(200, SECOND, FLAKY, 3, Entry.How.DONE)
        .completed(
            FLAKY,
            3,
            new Row.Failure(1, 1, Story.run(FLAKY, 1)),
            new Row.Failure(2, 1, Story.run(FLAKY, 2)));
    flags(Finding.Kind.FINISHED_TWICE);
  }

  @Test
  void lateWrite_isFlagged_whenTheClaimHadBeenTakenOver() {
    story
        .enqueued(0, PLAIN)
        .fault(15, 3_000, FaultKind.PAUSE_WORKER, FIRST)
        .ran(10, FIRST, PLAIN, 1, Entry.How.DONE)
        .ran(2_500, SECOND, PLAIN, 2, Entry.How.DONE)
        .completed(PLAIN, 1);
    flags(Finding.Kind.LATE_WRITE_TAKEN);
  }

  @Test
  void lateWrite_isFlagged_whenRecordedUnderAnothersClaim() {
    story
        .enqueued(0, PLAIN)
        .fault(15, 3_000, FaultKind.PAUSE_WORKER, FIRST)
        .ran(10, FIRST, PLAIN, 1, Entry.How.DONE)
        .ran(2_500, SECOND, PLAIN, 2, Entry.How.DONE)
        .row(PLAIN, new Row.Status(JobState.COMPLETED, 1, 2, 0, Story.run(PLAIN, 1), null), 1);
    flags(Finding.Kind.LATE_WRITE_TAKEN);
  }

  @Test
  void secondRun_isExplained_byAPauseOfItsWorker() {
    story
        .enqueued(0, PLAIN)
        .fault(15, 3_000, FaultKind.PAUSE_WORKER, FIRST)
        .ran(10, FIRST, PLAIN, 1, Entry.How.DONE)
        .ran(2_500, SECOND, PLAIN, 2, Entry.How.DONE)
        .completed(PLAIN, 2);
    flags();
    assertThat(story.judged().figures()).containsEntry("  after PAUSE_WORKER", "1");
  }

  @Test
  void secondRun_isNotExplained_byAPauseOfAStranger() {
    story
        .enqueued(0, PLAIN)
        .fault(15, 3_000, FaultKind.PAUSE_WORKER, "worker-2#3")
        .ran(10, FIRST, PLAIN, 1, Entry.How.DONE)
        .ran(2_500, SECOND, PLAIN, 2, Entry.How.DONE)
        .completed(PLAIN, 2);
    flags(Finding.Kind.UNEXPLAINED_DUPLICATE);
  }

  @Test
  void secondRun_isExplained_byAnOutageOfTheDatabase() {
    story
        .enqueued(0, PLAIN)
        .fault(15, 1_000, FaultKind.KILL_DATABASE, "")
        .ran(10, FIRST, PLAIN, 1, Entry.How.DONE)
        .ran(2_500, SECOND, PLAIN, 2, Entry.How.DONE)
        .completed(PLAIN, 2);
    flags();
  }

  @Test
  void secondRun_onTheSameWorker_needsACauseToo() {
    story
        .enqueued(0, PLAIN)
        .ran(10, FIRST, PLAIN, 1, Entry.How.DONE)
        .ran(100, FIRST, PLAIN, 2, Entry.How.DONE)
        .completed(PLAIN, 2);
    flags(Finding.Kind.UNEXPLAINED_DUPLICATE);
  }

  @Test
  void secondRun_isARetry_afterARecordedFailure() {
    story
        .enqueued(0, FLAKY)
        .ran(10, FIRST, FLAKY, 1, Entry.How.THREW)
        .ran(100, SECOND, FLAKY, 2, Entry.How.DONE)
        .completed(FLAKY, 2, new Row.Failure(1, 1, Story.run(FLAKY, 1)));
    flags();
    assertThat(story.judged().figures()).containsEntry("retries of failed attempts", "1");
  }

  @Test
  void oneClaimRunTwice_isFlagged() {
    story
        .enqueued(0, PLAIN)
        .ran(10, FIRST, PLAIN, 1, Entry.How.DONE)
        .ran(30, FIRST, PLAIN, 1, Entry.How.DONE)
        .completed(PLAIN, 1);
    flags(Finding.Kind.CLAIM_RAN_TWICE);
  }

  @Test
  void fragileJob_mayNotRunTwice_whateverHappened() {
    story
        .enqueued(0, FRAGILE)
        .began(10, FIRST, FRAGILE, 1)
        .fault(15, 200, FaultKind.KILL_WORKER, FIRST)
        .ran(2_500, SECOND, FRAGILE, 2, Entry.How.DONE)
        .completed(FRAGILE, 2);
    flags(Finding.Kind.FRAGILE_RAN_TWICE);
  }

  @Test
  void fragileJob_mayBeDead_afterItsWorkerWasLost() {
    story
        .enqueued(0, FRAGILE)
        .began(10, FIRST, FRAGILE, 1)
        .fault(15, 200, FaultKind.KILL_WORKER, FIRST)
        .row(
            FRAGILE,
            new Row.Status(JobState.DEAD, 1, 1, 0, null, "WORKER_LOST"),
            1,
            new Row.Failure(1, 1, null));
    flags();
  }

  @Test
  void deadForNoReason_isFlagged() {
    story
        .enqueued(0, PLAIN)
        .row(PLAIN, new Row.Status(JobState.DEAD, 1, 1, 0, null, "WORKER_LOST"), 1);
    flags(Finding.Kind.WRONG_END);
  }

  @Test
  void moreAttemptsThanAllowed_areFlagged() {
    story
        .enqueued(0, FLAKY)
        .row(FLAKY, new Row.Status(JobState.PENDING, Work.ATTEMPTS + 1, 5, 0, null, null), 0);
    flags(Finding.Kind.TOO_MANY_ATTEMPTS, Finding.Kind.LOST);
  }

  @Test
  void brokenOrder_isFlagged_unlessItsWorkerWasHarmed() {
    Work a = Story.work(20, Work.FIFO, 0);
    Work b = Story.work(40, Work.FIFO, 0);
    story
        .enqueued(0, a)
        .enqueued(10, b)
        .ran(100, FIRST, b, 1, Entry.How.DONE)
        .ran(200, FIRST, a, 1, Entry.How.DONE)
        .completed(a, 1)
        .completed(b, 1);
    flags(Finding.Kind.ORDER_BROKEN);
    story.fault(50, 60, FaultKind.CUT, FIRST);
    flags();
  }

  @Test
  void slowRecovery_isFlagged_whenAnotherWorkerWasWell() {
    story
        .enqueued(0, PLAIN)
        .began(10, FIRST, PLAIN, 1)
        .fault(15, 200, FaultKind.KILL_WORKER, FIRST)
        .ran(4_100, SECOND, PLAIN, 2, Entry.How.DONE)
        .completed(PLAIN, 2);
    flags(Finding.Kind.SLOW_RECOVERY);
    story.fault(1_000, 4_000, FaultKind.PAUSE_WORKER, SECOND);
    flags();
  }

  @Test
  void recovery_isNotJudged_whereTheWorkerThatHadTheJobNextWasHeldUp() {
    String third = "worker-2#3";
    story
        .enqueued(0, PLAIN)
        .began(10, FIRST, PLAIN, 1)
        .fault(15, 200, FaultKind.KILL_WORKER, FIRST)
        .ran(4_100, third, PLAIN, 2, Entry.How.DONE)
        .completed(PLAIN, 2);
    flags(Finding.Kind.SLOW_RECOVERY);
    story.fault(1_000, 4_000, FaultKind.HOLD_BACK, third);
    flags();
  }

  @Test
  void slowRecovery_isFlagged_alsoWhereTheJobWaitedToBeAlone() {
    Work slow = Story.work(4, Work.SLOW, 0);
    story
        .enqueued(0, PLAIN)
        .enqueued(0, slow)
        .began(10, FIRST, PLAIN, 1)
        .began(20, SECOND, slow, 1)
        .ended(4_050, SECOND, slow, 1)
        .fault(15, 200, FaultKind.KILL_WORKER, FIRST)
        .ran(4_100, SECOND, PLAIN, 2, Entry.How.DONE)
        .completed(PLAIN, 2)
        .completed(slow, 1);
    flags(Finding.Kind.SLOW_RECOVERY);
  }

  @Test
  void recovery_isNotJudged_afterAFourthDeath() {
    story
        .enqueued(0, PLAIN)
        .began(10, FIRST, PLAIN, 4)
        .fault(15, 200, FaultKind.KILL_WORKER, FIRST)
        .ran(4_100, SECOND, PLAIN, 5, Entry.How.DONE)
        .completed(PLAIN, 5);
    flags();
    assertThat(story.judged().figures()).containsEntry("  not judged after a fourth death", "1");
  }

  @Test
  void recovery_isNotJudged_whereSomebodyElseHadTheJobInBetween() {
    story
        .enqueued(0, PLAIN)
        .began(10, FIRST, PLAIN, 1)
        .fault(15, 200, FaultKind.KILL_WORKER, FIRST)
        .ran(4_100, SECOND, PLAIN, 3, Entry.How.DONE)
        .completed(PLAIN, 3);
    flags();
  }

  @Test
  void claimThatOutlivesItsLease_isFlagged() {
    story
        .enqueued(0, PLAIN)
        .ran(10, FIRST, PLAIN, 1, Entry.How.DONE)
        .completed(PLAIN, 1)
        .overdue(6_000, PLAIN);
    flags(Finding.Kind.DEAD_LEASE);
  }
}
