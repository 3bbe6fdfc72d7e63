package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.Ordering;
import io.sluice.QueueSettings;
import io.sluice.store.Finish;
import io.sluice.store.Standing;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Where a ready job stands in its lane. */
public interface StandingContract extends StoreTopic {
  @Test
  default void standing_countsWhatGoesBefore_byPriorityAndAge(Bench bench) {
    bench.add(2, Draft.job().priority(5));
    bench.add(3);
    UUID job = bench.add();
    bench.add(4);
    bench.add(2, Draft.job().priority(15));
    assertThat(bench.store().standing(job, 100).ahead()).isEqualTo(5);
  }

  @Test
  default void standing_leavesOtherLanesOut_andWhatIsNotReady(Bench bench) {
    bench.add(3, Draft.job().type("other"));
    bench.add(3, Draft.job().limitKey("other"));
    bench.add(3, Draft.job().in(Duration.ofMinutes(1)));
    bench.running();
    assertThat(bench.store().standing(bench.add(), 100))
        .isEqualTo(new Standing(0, 0, Standing.LATELY, null));
  }

  @Test
  default void standing_inAnOrder_goesByAgeOverItsLanes(Bench bench) {
    bench.store().queues().save(QueueSettings.of("fifo").withOrdered(Ordering.QUEUE));
    Draft draft = Draft.job().queue("fifo");
    UUID first = bench.add(draft.priority(20));
    bench.add(2, draft.type("other").priority(15));
    UUID job = bench.add(draft.priority(0));
    bench.add(3, draft.priority(0));
    assertThat(bench.store().standing(job, 100))
        .isEqualTo(new Standing(3, 0, Standing.LATELY, first));
    assertThat(bench.store().standing(job, 2).ahead()).isEqualTo(2);
    assertThat(bench.store().standing(first, 100))
        .isEqualTo(new Standing(0, 0, Standing.LATELY, null));
  }

  @Test
  default void standing_countsNoFurtherThanAsked(Bench bench) {
    bench.add(4, Draft.job().priority(5));
    bench.add(4);
    UUID job = bench.add();
    assertThat(bench.store().standing(job, 3).ahead()).isEqualTo(3);
    assertThat(bench.store().standing(job, 6).ahead()).isEqualTo(6);
  }

  @Test
  default void standing_isNone_forAJobThatIsNotReady(Bench bench) {
    assertThat(bench.store().standing(new UUID(1, 2), 9)).isEqualTo(Standing.NONE);
    for (JobState state : JobState.values()) {
      if (state != JobState.PENDING) {
        UUID job = bench.addIn(state, Draft.job().type("t" + state));
        assertThat(bench.store().standing(job, 9)).as(state.name()).isEqualTo(Standing.NONE);
      }
    }
  }

  @Test
  default void standing_tellsWhatTheLaneEndedLately_andNotWhatWasCancelled(Bench bench) {
    bench.addIn(JobState.COMPLETED);
    bench.advance(Duration.ofSeconds(61));
    bench.addIn(JobState.COMPLETED);
    bench.addIn(JobState.DEAD);
    bench.addIn(JobState.FAILED);
    bench.addIn(JobState.CANCELLED);
    bench.addIn(JobState.CANCELLED);
    bench.addIn(JobState.COMPLETED, Draft.job().type("other"));
    bench.advance(Duration.ofSeconds(10));
    assertThat(bench.store().standing(bench.add(), 9))
        .isEqualTo(new Standing(0, 3, Duration.ofSeconds(10), null));
  }

  @Test
  default void standing_tellsHowLongTheLaneWasSeenAtWork_aMinuteAtMost(Bench bench) {
    bench.add(3);
    finishNext(bench);
    assertThat(bench.store().standing(bench.add(), 9).within()).isEqualTo(Duration.ofSeconds(1));
    bench.advance(Duration.ofSeconds(40));
    finishNext(bench);
    bench.advance(Duration.ofSeconds(5));
    assertThat(bench.store().standing(bench.add(), 9).within()).isEqualTo(Duration.ofSeconds(45));
    bench.advance(Duration.ofSeconds(30));
    assertThat(bench.store().standing(bench.add(), 9).within()).isEqualTo(Standing.LATELY);
  }

  @Test
  default void standing_looksAtTheNewestEnds_whereManyAre(Bench bench) {
    finish(bench, 200);
    bench.advance(Duration.ofSeconds(20));
    finish(bench, Standing.MOST_ENDED - 1);
    bench.advance(Duration.ofSeconds(20));
    finish(bench, 1);
    assertThat(bench.store().standing(bench.add(), 9))
        .isEqualTo(new Standing(0, Standing.MOST_ENDED, Duration.ofSeconds(20), null));
  }

  private static void finish(Bench bench, int jobs) {
    bench.add(jobs);
    finishThere(bench, jobs);
  }

  private static void finishNext(Bench bench) {
    finishThere(bench, 1);
  }

  private static void finishThere(Bench bench, int jobs) {
    List<Finish> finishes = bench.claim(jobs).stream()
        .map(claimed -> new Finish(claimed.ref(), Verdicts.completed()))
        .toList();
    assertThat(bench.store().finish(finishes)).hasSize(jobs);
  }
}
