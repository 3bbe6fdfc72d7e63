package io.sluice.crashtest;

import static io.sluice.crashtest.Story.FIRST;
import static io.sluice.crashtest.Story.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.BatchCounts;
import io.sluice.JobState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Histories of a batch, written by hand: those that break what it promises are flagged, and only those. */
class BatchCheckTest {
  private static final Work A = Story.work(1, Work.PLAIN, 0);
  private static final Work B = Story.work(3, Work.PLAIN, 0);
  private static final Work CALLBACK = Story.work(4, Work.CALLBACK, 0);
  private static final BatchCounts BOTH = new BatchCounts(2, 2, 0, 0);

  private final Story story = new Story().enqueued(0, A).enqueued(0, B).enqueued(0, CALLBACK);

  private void flags(Finding.Kind... kinds) {
    assertThat(story.judged().findings().stream().map(Finding::kind).toList())
        .containsExactlyInAnyOrder(kinds);
  }

  private void ran(long millis, String who, Work work, int turn) {
    story.ran(millis, who, work, turn, Entry.How.DONE);
  }

  private void bothCompleted() {
    ran(10, FIRST, A, 1);
    ran(50, SECOND, B, 1);
    story.completed(A, 1).completed(B, 1);
  }

  private void saw(long millis, String who, long open, BatchCounts counts) {
    story.add(new Entry.Tally(Duration.ofMillis(millis).toNanos(), who, open, counts));
  }

  @Test
  void callbackAfterTheLastEnd_isRight() {
    bothCompleted();
    ran(100, FIRST, CALLBACK, 1);
    saw(101, FIRST, 0, BOTH);
    story.completed(CALLBACK, 1);
    flags();
    assertThat(story.judged().figures())
        .containsEntry("callback runs", "1")
        .containsEntry("callback after the last end", "40 ms");
  }

  @Test
  void callbackBeforeTheLastEnd_isFlagged() {
    bothCompleted();
    ran(59, FIRST, CALLBACK, 1);
    story.completed(CALLBACK, 1);
    flags(Finding.Kind.CALLBACK_EARLY);
  }

  @Test
  void callbackThatFindsAJobNotOver_isFlagged_whateverTheHandlersSay() {
    bothCompleted();
    ran(100, FIRST, CALLBACK, 1);
    saw(101, FIRST, 1, BOTH);
    story.completed(CALLBACK, 1);
    flags(Finding.Kind.CALLBACK_EARLY);
  }

  @Test
  void runThatDidNotCount_mayEndAfterTheCallback() {
    story.fault(15, 3_000, FaultKind.PAUSE_WORKER, FIRST);
    story.began(10, FIRST, A, 1).ended(3_100, FIRST, A, 1);
    ran(2_500, SECOND, A, 2);
    ran(50, SECOND, B, 1);
    ran(2_600, SECOND, CALLBACK, 1);
    story.completed(A, 2).completed(B, 1).completed(CALLBACK, 1);
    flags();
  }

  @Test
  void callbackThatNeverRan_isMissedAndLost() {
    bothCompleted();
    story.row(CALLBACK, new Row.Status(JobState.SCHEDULED, 0, 0, 0, null, null), 0);
    flags(Finding.Kind.LOST, Finding.Kind.CALLBACK_MISSED);
  }

  @Test
  void callbackThatIsNotThere_isMissedAndLost() {
    bothCompleted();
    flags(Finding.Kind.LOST, Finding.Kind.CALLBACK_MISSED);
  }

  @Test
  void secondRunOfTheCallback_isFlagged_alsoWhenAConnectionWasCut() {
    bothCompleted();
    ran(100, FIRST, CALLBACK, 1);
    ran(200, SECOND, CALLBACK, 2);
    story.completed(CALLBACK, 2);
    flags(Finding.Kind.UNEXPLAINED_DUPLICATE, Finding.Kind.CALLBACK_AGAIN);
    story.fault(105, 106, FaultKind.CUT, FIRST);
    flags(Finding.Kind.CALLBACK_AGAIN);
  }

  @Test
  void secondRunOfTheCallback_isRight_whenItsWorkerWasKilled_andIsTold() {
    bothCompleted();
    story.began(100, FIRST, CALLBACK, 1).fault(105, 300, FaultKind.KILL_WORKER, FIRST);
    ran(2_200, SECOND, CALLBACK, 2);
    story.completed(CALLBACK, 2);
    flags();
    assertThat(story.judged().figures())
        .containsEntry("callback runs", "2")
        .containsEntry("  again, its worker being gone", "1");
  }

  @Test
  void secondRunOfTheCallback_isFlagged_whenAnotherWorkerWasKilled() {
    bothCompleted();
    ran(100, FIRST, CALLBACK, 1);
    story.fault(150, 300, FaultKind.KILL_WORKER, SECOND);
    ran(400, "worker-1#5", CALLBACK, 2);
    story.completed(CALLBACK, 2);
    flags(Finding.Kind.UNEXPLAINED_DUPLICATE, Finding.Kind.CALLBACK_AGAIN);
  }

  @Test
  void childThatIsNotOver_isLost_andTheCallbackIsEarly() {
    ran(10, FIRST, A, 1);
    story.completed(A, 1).row(B, new Row.Status(JobState.PENDING, 0, 0, 0, null, null), 0);
    ran(100, FIRST, CALLBACK, 1);
    saw(101, FIRST, 1, BOTH);
    story.completed(CALLBACK, 1);
    flags(Finding.Kind.LOST, Finding.Kind.CALLBACK_EARLY, Finding.Kind.MISCOUNTED);
  }

  @Test
  void childThatIsGone_isLost_andTheCountsAreWrong() {
    ran(10, FIRST, A, 1);
    ran(100, FIRST, CALLBACK, 1);
    saw(101, FIRST, 0, BOTH);
    story.completed(A, 1).completed(CALLBACK, 1);
    flags(Finding.Kind.LOST, Finding.Kind.MISCOUNTED);
  }

  @Test
  void countsThatDifferFromTheTables_areFlagged() {
    bothCompleted();
    ran(100, FIRST, CALLBACK, 1);
    saw(101, FIRST, 0, new BatchCounts(2, 1, 1, 0));
    saw(900, "director", 0, BOTH);
    story.completed(CALLBACK, 1);
    flags(Finding.Kind.MISCOUNTED);
  }
}
