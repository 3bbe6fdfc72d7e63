package io.sluice.crashtest;

import static io.sluice.crashtest.Story.FIRST;
import static io.sluice.crashtest.Story.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Histories of limited queues, written by hand: those that break a limit or an order are flagged. */
class LimitCheckTest {
  private static final List<Work> CAPPED = LongStream.range(100, 104)
      .mapToObj(seq -> Story.work(seq, Work.CAPPED, 0))
      .toList();

  private final Story story = new Story();

  private void flags(Finding.Kind... kinds) {
    assertThat(story.judged().findings().stream().map(Finding::kind).toList())
        .containsExactlyInAnyOrder(kinds);
  }

  private void ran(long from, long to, String who, Work work, int turn) {
    story.began(from, who, work, turn).ended(to, who, work, turn).completed(work, turn);
  }

  private void slots(long millis, long waiting, Map<String, Integer> held) {
    story.add(new Entry.Slots(Duration.ofMillis(millis).toNanos(), waiting, held));
  }

  @Test
  void oneMoreAtOnceThanTheLimit_isFlagged() {
    CAPPED.forEach(work -> story.enqueued(0, work));
    ran(10, 500, FIRST, CAPPED.get(0), 1);
    ran(20, 500, FIRST, CAPPED.get(1), 1);
    ran(30, 400, SECOND, CAPPED.get(2), 1);
    ran(399, 900, SECOND, CAPPED.get(3), 1);
    flags(Finding.Kind.LIMIT_EXCEEDED);
    assertThat(story.judged().figures())
        .containsEntry("capped queue: at once at most", "4 handlers, 0 claims, of 3");
  }

  @Test
  void asManyAtOnceAsTheLimit_areRight() {
    CAPPED.forEach(work -> story.enqueued(0, work));
    ran(10, 500, FIRST, CAPPED.get(0), 1);
    ran(20, 500, FIRST, CAPPED.get(1), 1);
    ran(30, 400, SECOND, CAPPED.get(2), 1);
    ran(400, 900, SECOND, CAPPED.get(3), 1);
    flags();
  }

  @Test
  void handlerOfAPausedWorker_doesNotCount_whenItsLeaseMayHaveEnded() {
    CAPPED.subList(0, 3).forEach(work -> story.enqueued(0, work));
    story.fault(15, 3_000, FaultKind.PAUSE_WORKER, FIRST);
    story.began(10, FIRST, CAPPED.get(0), 1).ended(3_500, FIRST, CAPPED.get(0), 1);
    ran(2_500, 3_400, SECOND, CAPPED.get(0), 2);
    ran(2_500, 3_400, SECOND, CAPPED.get(1), 1);
    ran(2_500, 3_400, SECOND, CAPPED.get(2), 1);
    flags();
    story.enqueued(0, CAPPED.get(3));
    ran(2_600, 3_400, SECOND, CAPPED.get(3), 1);
    flags(Finding.Kind.LIMIT_EXCEEDED);
  }

  @Test
  void handlersOfADeadWorker_endWithIt() {
    CAPPED.forEach(work -> story.enqueued(0, work));
    story.began(10, FIRST, CAPPED.get(0), 1);
    story.fault(15, 200, FaultKind.KILL_WORKER, FIRST);
    ran(20, 900, SECOND, CAPPED.get(1), 1);
    ran(20, 900, SECOND, CAPPED.get(2), 1);
    ran(30, 900, SECOND, CAPPED.get(3), 1);
    story.ran(2_500, SECOND, CAPPED.get(0), 2, Entry.How.DONE).completed(CAPPED.get(0), 2);
    flags();
  }

  @Test
  void moreClaimsInTheTablesThanTheLimit_areFlagged_whateverHappened() {
    story.fault(0, 9_000, FaultKind.KILL_DATABASE, "");
    slots(100, 0, Map.of(FIRST, 2, SECOND, 2));
    flags(Finding.Kind.LIMIT_EXCEEDED);
  }

  @Test
  void moreStartsInASecondThanTheRate_areFlagged() {
    // Two for the burst, five a second, and what a start may be late by that nobody saw.
    for (int i = 0; i < 10; i++) {
      paced(i, 1_000 + i);
    }
    flags();
    paced(10, 1_500);
    flags(Finding.Kind.RATE_EXCEEDED);
  }

  @Test
  void startsOfAWorkerThatStood_areNotJudgedByTheRate() {
    story.fault(500, 990, FaultKind.PAUSE_WORKER, FIRST);
    for (int i = 0; i < 20; i++) {
      paced(i, 1_000 + i);
    }
    flags();
  }

  private void paced(int number, long millis) {
    Work work = Story.work(50 + number, Work.PACED, 0);
    story.enqueued(0, work).ran(millis, FIRST, work, 1, Entry.How.DONE).completed(work, 1);
  }

  @Test
  void slotsThatStayEmptyWhileWorkWaits_areLost() {
    for (long millis = 0; millis <= 4_000; millis += 500) {
      slots(millis, 5, Map.of(SECOND, 2));
    }
    flags();
    slots(4_500, 5, Map.of(SECOND, 2));
    flags(Finding.Kind.SLOT_LOST);
  }

  @Test
  void slotsThatStayEmpty_areNotLost_whenNothingWaitsOrNobodyIsWell() {
    for (long millis = 0; millis <= 9_000; millis += 500) {
      slots(millis, 0, Map.of(SECOND, 2));
      slots(millis + 20_000, 5, Map.of(SECOND, 2));
    }
    story.fault(20_000, 22_000, FaultKind.KILL_DATABASE, "");
    story.fault(23_000, 27_000, FaultKind.KILL_DATABASE, "");
    flags();
  }

  @Test
  void slotsOfADeadWorker_areLost_whenOthersHaveThemLaterThanTwoLeases() {
    death(4_500);
    flags(Finding.Kind.SLOT_LOST);
  }

  @Test
  void slotsOfADeadWorker_areNotLost_whenOthersHaveThemInTime() {
    death(3_500);
    flags();
    assertThat(story.judged().figures())
        .containsEntry("  all slots in use again within", "2500 ms");
  }

  /** One of two workers dies at the first second; the other has all the slots at this moment. */
  private void death(long full) {
    slots(500, 5, Map.of(FIRST, 2, SECOND, 1));
    story.fault(1_000, 1_200, FaultKind.KILL_WORKER, FIRST);
    for (long millis = 1_500; millis < full; millis += 500) {
      slots(millis, 5, Map.of(FIRST, 2, SECOND, 1));
    }
    for (long millis = full; millis <= 5_000; millis += 500) {
      slots(millis, 5, Map.of(SECOND, full > 4_000 ? 2 : 3));
    }
  }

  @Test
  void slotThatIsCountedWhenAllIsOver_isFlagged() {
    story.add(new Entry.Counted(1, Work.CAPPED, 0));
    flags();
    story.add(new Entry.Counted(2, Work.CAPPED, 1));
    flags(Finding.Kind.SLOT_COUNTED_TWICE);
  }

  @Test
  void orderedJobThatBeginsBeforeTheRecordedEndOfAnEarlierOne_isFlagged() {
    Work a = Story.work(10, Work.STRICT, 0);
    Work b = Story.work(30, Work.STRICT, 0);
    story.enqueued(0, a).enqueued(10, b);
    ran(100, 200, FIRST, a, 1);
    ran(199, 300, SECOND, b, 1);
    flags(Finding.Kind.ORDER_BROKEN);
    story.fault(50, 60, FaultKind.KILL_DATABASE, "");
    flags(Finding.Kind.ORDER_BROKEN);
  }

  @Test
  void orderedJobs_mayOverlap_whereTheRunOfAPausedWorkerIsNotTheRecordedOne() {
    Work a = Story.work(10, Work.STRICT, 0);
    Work b = Story.work(30, Work.STRICT, 0);
    story.enqueued(0, a).enqueued(10, b).fault(100, 3_000, FaultKind.PAUSE_WORKER, FIRST);
    story.began(90, FIRST, a, 1).ended(3_100, FIRST, a, 1);
    ran(2_500, 2_600, SECOND, a, 2);
    ran(2_700, 2_800, SECOND, b, 1);
    flags();
  }

  @Test
  void orderedJobThatOvertakesARetry_isFlagged() {
    Work a = Story.work(10, Work.STRICT, 1);
    Work b = Story.work(30, Work.STRICT, 0);
    story.enqueued(0, a).enqueued(10, b).ran(100, FIRST, a, 1, Entry.How.THREW);
    ran(150, 160, SECOND, b, 1);
    story
        .ran(300, SECOND, a, 2, Entry.How.DONE)
        .completed(a, 2, new Row.Failure(1, 1, Story.run(a, 1)));
    flags(Finding.Kind.ORDER_BROKEN);
  }

  @Test
  void jobWithoutAResult_mustHaveARunThatEndedUnderItsClaim() {
    Work silent = Story.work(2, Work.PLAIN, 0);
    Row.Status status = new Row.Status(JobState.COMPLETED, 1, 2, 0, null, null);
    story
        .enqueued(0, silent)
        .fault(15, 3_000, FaultKind.PAUSE_WORKER, FIRST)
        .ran(10, FIRST, silent, 1, Entry.How.DONE)
        .row(silent, status, 1);
    flags(Finding.Kind.PHANTOM);
    story.ran(2_500, SECOND, silent, 2, Entry.How.DONE);
    flags();
  }
}
