package io.sluice.crashtest;

import static io.sluice.crashtest.Story.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Histories in which somebody waits: flagged where nothing was wrong, whatever transactions were open. */
class WaitCheckTest {
  private static final Work PLAIN = Story.work(1, Work.PLAIN, 0);

  private final Story story = new Story();

  private void flags(Finding.Kind... kinds) {
    assertThat(story.judged().findings().stream().map(Finding::kind).toList())
        .containsExactlyInAnyOrder(kinds);
  }

  private void ranAndRecordedAt(long millis) {
    story
        .ran(5_100, FIRST, PLAIN, 1, Entry.How.DONE)
        .recorded(millis, FIRST, PLAIN, 1)
        .completed(PLAIN, 1);
  }

  private void answeredAt(long millis) {
    story
        .add(new Entry.Invoke(0, "producer#9", PLAIN.key(), PLAIN))
        .add(new Entry.Ok(millis * 1_000_000, "producer#9", PLAIN.key(), Story.id(1)));
  }

  @Test
  void promptAnswers_areRight_andTheSlowestAreTold() {
    answeredAt(30);
    ranAndRecordedAt(5_150);
    flags();
    assertThat(story.judged().figures())
        .containsEntry("outcomes judged, the slowest", "1, 40 ms")
        .containsEntry("enqueues judged, the slowest", "1, 30 ms");
  }

  @Test
  void outcomeThatWaits_isFlagged_alsoDuringACallersTransaction() {
    answeredAt(30);
    ranAndRecordedAt(9_200);
    story.fault(5_000, 9_200, FaultKind.OPEN_TRANSACTION, "");
    flags(Finding.Kind.SLOW_OUTCOME);
  }

  @Test
  void outcomeThatWaits_isRight_whereItsWorkerWasHarmed() {
    answeredAt(30);
    ranAndRecordedAt(9_200);
    story.fault(6_000, 6_010, FaultKind.CUT, FIRST);
    flags();
  }

  @Test
  void outcomeOfTheJobThatACallerHolds_mayWait() {
    answeredAt(30);
    ranAndRecordedAt(9_200);
    story.add(new Entry.Pinned(1, Story.id(1).toString()));
    flags();
  }

  @Test
  void enqueueThatWaits_isFlagged_unlessItsKeyIsHeld() {
    answeredAt(4_100);
    ranAndRecordedAt(5_150);
    story.fault(0, 4_100, FaultKind.OPEN_TRANSACTION, "");
    flags(Finding.Kind.SLOW_ENQUEUE);
    story.add(new Entry.Pinned(1, PLAIN.key()));
    flags();
  }

  @Test
  void enqueueThatWaits_isRight_whereTheProducerWasPaused() {
    answeredAt(4_100);
    ranAndRecordedAt(5_150);
    story.fault(100, 4_000, FaultKind.PAUSE_PRODUCER, "producer#9");
    flags();
  }
}
