package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.store.LaneHead;
import io.sluice.store.Promotion;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** How work for later becomes ready. */
public interface PromoteContract extends StoreTopic {
  @Test
  default void promote_movesNothing_whenNothingWaits(Bench bench) {
    bench.add();
    assertThat(bench.store().promote(10)).isEqualTo(new Promotion(0, null));
  }

  @Test
  default void promote_leavesWhatIsNotDue(Bench bench) {
    UUID job = bench.add(Draft.job().in(Duration.ofSeconds(10)));
    bench.advance(Duration.ofSeconds(9));
    assertThat(bench.store().promote(10).moved()).isZero();
    assertThat(bench.state(job)).isEqualTo(JobState.SCHEDULED);
    assertThat(bench.claim(1)).isEmpty();
  }

  @Test
  default void promote_makesADueJobReady(Bench bench) {
    UUID job = bench.add(Draft.job().in(Duration.ofSeconds(10)));
    bench.advance(Duration.ofSeconds(11));
    assertThat(bench.store().promote(10)).isEqualTo(new Promotion(1, null));
    assertThat(bench.state(job)).isEqualTo(JobState.PENDING);
    assertThat(bench.claimOne().ref().job()).isEqualTo(job);
  }

  @Test
  default void promote_makesAJobReady_atItsVeryMoment(Bench bench) {
    bench.add(Draft.job().in(Duration.ofSeconds(10)));
    bench.advance(Duration.ofSeconds(10));
    assertThat(bench.store().promote(10).moved()).isEqualTo(1);
  }

  @Test
  default void promote_makesARetryReady_atItsMoment(Bench bench) {
    UUID job = bench.add();
    bench.finish(bench.claim(job).ref(), Verdicts.retryIn(Duration.ofSeconds(4)));
    bench.advance(Duration.ofSeconds(3));
    assertThat(bench.store().promote(10).moved()).isZero();
    assertThat(bench.state(job)).isEqualTo(JobState.RETRYING);
    bench.advance(Duration.ofSeconds(1));
    assertThat(bench.store().promote(10).moved()).isEqualTo(1);
    assertThat(bench.claim(job).attempt()).isEqualTo(2);
  }

  @Test
  default void promote_saysHowLongUntilTheNext(Bench bench) {
    bench.add(Draft.job().in(Duration.ofSeconds(60)));
    bench.add(Draft.job().type("sooner").in(Duration.ofSeconds(20)));
    bench.advance(Duration.ofSeconds(5));
    assertThat(bench.store().promote(10)).isEqualTo(new Promotion(0, Duration.ofSeconds(15)));
  }

  @Test
  default void promote_saysHowLongUntilTheNext_afterMovingSome(Bench bench) {
    bench.add(Draft.job().in(Duration.ofSeconds(1)));
    bench.add(Draft.job().in(Duration.ofSeconds(31)));
    bench.advance(Duration.ofSeconds(1));
    assertThat(bench.store().promote(10)).isEqualTo(new Promotion(1, Duration.ofSeconds(30)));
  }

  @Test
  default void promote_movesNoMoreThanMax_andAsksToComeBackAtOnce(Bench bench) {
    bench.add(7, Draft.job().in(Duration.ofSeconds(1)));
    bench.advance(Duration.ofSeconds(2));
    assertThat(bench.store().promote(5)).isEqualTo(new Promotion(5, Duration.ZERO));
    assertThat(bench.store().promote(5)).isEqualTo(new Promotion(2, null));
  }

  @Test
  default void promote_goesRoundTheLanes(Bench bench) {
    bench.add(50, Draft.job().tenant("noisy").in(Duration.ofSeconds(1)));
    bench.add(2, Draft.job().tenant("quiet").in(Duration.ofSeconds(2)));
    bench.advance(Duration.ofSeconds(3));
    Promotion first = bench.store().promote(10);
    assertThat(first.moved()).isBetween(2, 10);
    assertThat(first.untilNext()).isEqualTo(Duration.ZERO);
    assertThat(bench.store().heads())
        .extracting(head -> head.lane().tenant())
        .containsExactlyInAnyOrder("noisy", "quiet");
  }

  @Test
  default void promote_keepsThePriority(Bench bench) {
    bench.add(Draft.job().priority(2).in(Duration.ofSeconds(1)));
    bench.advance(Duration.ofSeconds(2));
    bench.store().promote(10);
    assertThat(bench.store().heads()).extracting(LaneHead::priority).containsExactly(2);
  }

  @Test
  default void promote_neverTakesAJobTwice_onManyInstances(Bench bench) {
    List<UUID> jobs = bench.add(60, Draft.job().in(Duration.ofSeconds(1)));
    bench.advance(Duration.ofSeconds(2));
    List<Integer> moved = Together.run(
        4, i -> () -> (i % 2 == 0 ? bench.store() : bench.other()).promote(20).moved());
    int sum = moved.stream().mapToInt(Integer::intValue).sum();
    assertThat(sum).isLessThanOrEqualTo(60);
    assertThat(bench.store().promote(100).moved()).isEqualTo(60 - sum);
    assertThat(Bench.idsOf(bench.claim(100))).containsExactlyInAnyOrderElementsOf(jobs);
  }

  @Test
  default void promote_movesADelayFarBeyondTheLease_once(Bench bench) {
    UUID job = bench.add(Draft.job().in(Duration.ofMinutes(5)));
    int moved = 0;
    for (int i = 0; i < 60; i++) {
      bench.advance(Duration.ofSeconds(10));
      moved += bench.store().promote(10).moved();
      if (i < 29) {
        assertThat(bench.claim(1)).isEmpty();
      }
    }
    assertThat(moved).isEqualTo(1);
    assertThat(Bench.idsOf(bench.claim(10))).containsExactly(job);
  }
}
