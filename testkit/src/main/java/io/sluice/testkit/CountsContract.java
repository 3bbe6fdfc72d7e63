package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.store.Count;
import io.sluice.store.ReasonCount;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The figures of a store. */
public interface CountsContract extends StoreTopic {
  @Test
  default void counts_ofAnEmptyStore_areEmpty(Bench bench) {
    assertThat(bench.store().counts(null)).isEmpty();
  }

  @Test
  default void counts_goByQueueTypeAndState(Bench bench) {
    bench.makeQueue("mail");
    bench.add(3);
    bench.claim(1);
    bench.add(2, Draft.job().type("other").in(Duration.ofHours(1)));
    bench.add(Draft.job().queue("mail"));
    assertThat(bench.store().counts(null))
        .containsExactlyInAnyOrder(
            new Count("default", "default", Draft.TYPE, JobState.PENDING, 2),
            new Count("default", "default", Draft.TYPE, JobState.RUNNING, 1),
            new Count("default", "default", "other", JobState.SCHEDULED, 2),
            new Count("default", "mail", Draft.TYPE, JobState.PENDING, 1));
  }

  @Test
  default void counts_knowEveryState(Bench bench) {
    for (JobState state : JobState.values()) {
      bench.addIn(state, Draft.job().type("t" + state));
    }
    assertThat(bench.store().counts(null))
        .extracting(Count::state)
        .containsExactlyInAnyOrder(JobState.values());
  }

  @Test
  default void counts_addUp_overLanesOfOneType(Bench bench) {
    bench.insert(
        Draft.job().limitKey("a"), Draft.job().limitKey("b"), Draft.job().priority(1));
    assertThat(bench.store().counts(null))
        .containsExactly(new Count("default", "default", Draft.TYPE, JobState.PENDING, 3));
  }

  @Test
  default void counts_ofOneTenant_leaveOthersOut(Bench bench) {
    bench.add(Draft.job().tenant("acme"));
    bench.add(2, Draft.job().tenant("globex"));
    assertThat(bench.store().counts("acme"))
        .containsExactly(new Count("acme", "default", Draft.TYPE, JobState.PENDING, 1));
    assertThat(bench.store().counts(null)).hasSize(2);
    assertThat(bench.store().counts("initech")).isEmpty();
  }

  @Test
  default void oldestReady_isEmpty_whenNothingIsReady(Bench bench) {
    bench.add(Draft.job().in(Duration.ofHours(1)));
    bench.addIn(JobState.RUNNING);
    assertThat(bench.store().oldestReady(null)).isEmpty();
  }

  @Test
  default void oldestReady_isTheCreation_ofTheJobThatWaitsLongest(Bench bench) {
    Instant first = bench.now();
    bench.add(Draft.job().type("slow").priority(15));
    bench.advance(Duration.ofSeconds(10));
    bench.add();
    assertThat(bench.store().oldestReady(null)).contains(first);
    assertThat(bench.claimLane(bench.worker(), Draft.job().type("slow").lane(), 15, 1))
        .hasSize(1);
    assertThat(bench.store().oldestReady(null)).contains(bench.now());
  }

  @Test
  default void oldestReady_ofOneTenant_leavesOthersOut(Bench bench) {
    bench.add(Draft.job().tenant("acme"));
    bench.advance(Duration.ofSeconds(10));
    bench.add(Draft.job().tenant("globex"));
    assertThat(bench.store().oldestReady("globex")).contains(bench.now());
    assertThat(bench.store().oldestReady("initech")).isEmpty();
  }

  @Test
  default void deadReasons_countTheMostFrequentFirst(Bench bench) {
    bury(bench, Draft.job(), "rare");
    bury(bench, Draft.job(), "frequent");
    bury(bench, Draft.job(), "frequent");
    assertThat(bench.store().deadReasons(JobFilter.all()))
        .containsExactly(new ReasonCount("frequent", 2), new ReasonCount("rare", 1));
  }

  @Test
  default void deadReasons_areOfDeadLettersOnly(Bench bench) {
    bench.addIn(JobState.FAILED);
    bench.addIn(JobState.CANCELLED);
    bench.addIn(JobState.COMPLETED);
    UUID replayed = bury(bench, Draft.job(), "no");
    bench.store().replay(replayed);
    assertThat(bench.store().deadReasons(JobFilter.all())).isEmpty();
  }

  @Test
  default void deadReasons_areNarrowedByTheFilter(Bench bench) {
    bury(bench, Draft.job().tenant("acme"), "a");
    bury(bench, Draft.job().tenant("globex"), "g");
    assertThat(bench.store().deadReasons(JobFilter.all().inTenant("acme")))
        .containsExactly(new ReasonCount("a", 1));
  }

  @Test
  default void deadLetters_areCountedNoFurtherThanAsked(Bench bench) {
    bench.addIn(JobState.FAILED);
    bench.addIn(JobState.CANCELLED);
    bench.addIn(JobState.COMPLETED);
    assertThat(bench.store().deadLetters(10)).isZero();
    bury(bench, Draft.job(), "a");
    bury(bench, Draft.job(), "b");
    bury(bench, Draft.job(), "c");
    assertThat(bench.store().deadLetters(10)).isEqualTo(3);
    assertThat(bench.store().deadLetters(2)).isEqualTo(2);
  }

  private static UUID bury(Bench bench, Draft draft, String reason) {
    UUID job = bench.add(draft);
    bench.finish(bench.claim(job).ref(), Verdicts.dead(reason));
    return job;
  }
}
