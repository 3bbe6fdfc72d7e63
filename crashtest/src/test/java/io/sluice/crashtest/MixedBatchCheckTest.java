package io.sluice.crashtest;

import static io.sluice.crashtest.Story.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.BatchCounts;
import io.sluice.JobState;
import org.junit.jupiter.api.Test;

/** Batches among other jobs, written by hand: those that went wrong are flagged, and only those. */
class MixedBatchCheckTest {
  /** Has a job for the failure of another one, and a callback for failure. */
  private static final BatchPlan PLAN = new BatchPlan(2);

  private static final BatchCounts RIGHT = new BatchCounts(5, 4, 0, 1);

  private final Story story = new Story();

  private void flags(Finding.Kind... kinds) {
    assertThat(story.judged().findings().stream().map(Finding::kind).toList())
        .containsExactlyInAnyOrder(kinds);
  }

  /** All members complete, and so the third, which is for a failure, is cancelled. */
  private void completed(long millis) {
    for (int place = 0; place < 5; place++) {
      Work member = PLAN.members().get(place);
      story.enqueued(0, member);
      if (place == 2) {
        cancelled(member);
      } else {
        story.ran(millis, FIRST, member, 1, Entry.How.DONE);
        silentlyCompleted(member);
      }
    }
    story.enqueued(0, PLAN.callback());
  }

  private void cancelled(Work work) {
    story.row(work, new Row.Status(JobState.CANCELLED, 0, 0, 0, null, "not needed"), 1);
  }

  private void silentlyCompleted(Work work) {
    story.row(work, new Row.Status(JobState.COMPLETED, 1, 1, 0, null, null), 1);
  }

  private void seen(boolean over, BatchCounts counts) {
    story.add(new Entry.BatchSeen(99_000_000_000L, PLAN.name(), over, counts));
  }

  @Test
  void batchThatEndsByItsRules_isRight_andIsCounted() {
    completed(10);
    story.ran(100, FIRST, PLAN.callback(), 1, Entry.How.DONE).completed(PLAN.callback(), 1);
    seen(true, RIGHT);
    flags();
    assertThat(story.judged().figures())
        .containsEntry("batches", "1")
        .containsEntry("wrong batches", "0");
  }

  @Test
  void cancelledMemberThatIsCountedAsCompleted_andItsCallback_areWrong() {
    completed(10);
    cancelled(PLAN.callback());
    seen(true, new BatchCounts(5, 5, 0, 0));
    flags(Finding.Kind.WRONG_BATCH, Finding.Kind.WRONG_BATCH);
    assertThat(story.judged().figures()).containsEntry("wrong batches", "1");
  }

  @Test
  void batchThatIsNotOver_isWrong() {
    completed(10);
    story.ran(100, FIRST, PLAN.callback(), 1, Entry.How.DONE).completed(PLAN.callback(), 1);
    seen(false, RIGHT);
    flags(Finding.Kind.WRONG_BATCH);
  }

  @Test
  void callbackBeforeTheLastEnd_isEarly() {
    completed(200);
    story.ran(100, FIRST, PLAN.callback(), 1, Entry.How.DONE).completed(PLAN.callback(), 1);
    seen(true, RIGHT);
    flags(Finding.Kind.CALLBACK_EARLY);
  }

  @Test
  void callsThatEndMembersAndStrangers_areCounted() {
    completed(10);
    story.ran(100, FIRST, PLAN.callback(), 1, Entry.How.DONE).completed(PLAN.callback(), 1);
    Work stranger = Story.work(1, Work.PLAIN, 0);
    story
        .enqueued(0, stranger)
        .ran(10, FIRST, stranger, 1, Entry.How.DONE)
        .completed(stranger, 1)
        .recorded(20, FIRST, stranger, 1)
        .recorded(20, FIRST, PLAN.members().getFirst(), 1)
        .recorded(30, FIRST, PLAN.members().get(1), 1)
        .recorded(30, FIRST, PLAN.members().get(3), 1);
    seen(true, RIGHT);
    flags();
    assertThat(story.judged().figures())
        .containsEntry("calls that ended several jobs", "2")
        .containsEntry("  members and strangers together", "1");
  }
}
