package io.sluice.crashtest;

import static io.sluice.crashtest.Story.FIRST;
import static io.sluice.crashtest.Story.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Histories of the paced queue: that it stands still is flagged, whatever the clock says. */
class PaceCheckTest {
  private static final Work A = Story.work(51, Work.PACED, 0);
  private static final Work B = Story.work(52, Work.PACED, 0);

  private final Story story = new Story();

  private void flags(Finding.Kind... kinds) {
    assertThat(story.judged().findings().stream().map(Finding::kind).toList())
        .containsExactlyInAnyOrder(kinds);
  }

  private void ran(long millis, Work work) {
    story.enqueued(0, work).ran(millis, FIRST, work, 1, Entry.How.DONE).completed(work, 1);
  }

  @Test
  void queueThatGoesOn_isRight_howeverLongOneWaits() {
    ran(3_000, A);
    ran(6_500, B);
    flags();
  }

  @Test
  void queueThatStandsStill_isFlagged_alsoWhenTheClockWasStepped() {
    ran(4_100, A);
    story.fault(0, 4_000, FaultKind.CLOCK_STEP, "");
    flags(Finding.Kind.RATE_STUCK);
  }

  @Test
  void queueThatStandsStill_isRight_whereNobodyWasHealthy() {
    ran(4_100, A);
    story.fault(0, 4_000, FaultKind.PAUSE_WORKER, FIRST);
    story.fault(1_000, 2_000, FaultKind.PAUSE_WORKER, SECOND);
    flags();
  }
}
