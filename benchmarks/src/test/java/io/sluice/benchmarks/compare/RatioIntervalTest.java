package io.sluice.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.benchmarks.compare.RatioInterval.Confidence;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RatioIntervalTest {
  private static RatioInterval of(double[]... groups) {
    return RatioInterval.of(List.of(groups), Confidence.ONE_FIGURE);
  }

  @Test
  void equalRatios_haveNoWidth() {
    RatioInterval interval = of(new double[] {0.75, 0.75}, new double[] {0.75});
    assertThat(interval).isEqualTo(new RatioInterval(0.75, 0.75, 0.75));
    assertThat(interval.halfWidth()).isZero();
    assertThat(interval.isBelow(1)).isTrue();
    assertThat(interval.isAbove(1)).isFalse();
  }

  @Test
  void oneGeneration_saysNothingOfTheNext() {
    assertThat(of(new double[] {1, 1}).halfWidth()).isInfinite();
  }

  @Test
  void noise_givesAnIntervalThatContainsTheTruth_nineteenTimesOfTwenty() {
    RandomGenerator random = new SplittableRandom(1);
    int contained = 0;
    for (int i = 0; i < 2_000; i++) {
      RatioInterval interval =
          RatioInterval.of(noise(random, 8, 12, 0.02, 0.1), Confidence.ONE_FIGURE);
      if (!interval.isBelow(1) && !interval.isAbove(1)) {
        contained++;
      }
    }
    assertThat(contained / 2_000.0).isCloseTo(0.95, within(0.015));
  }

  @Test
  void threeFigures_haveWiderIntervals_forTheSameConfidenceInAll() {
    RandomGenerator random = new SplittableRandom(1);
    int contained = 0;
    for (int i = 0; i < 2_000; i++) {
      boolean all = true;
      for (int figure = 0; figure < 3; figure++) {
        RatioInterval interval =
            RatioInterval.of(noise(random, 8, 12, 0.02, 0.1), Confidence.THREE_FIGURES);
        all &= !interval.isBelow(1) && !interval.isAbove(1);
      }
      contained += all ? 1 : 0;
    }
    assertThat(contained / 2_000.0).isCloseTo(0.95, within(0.015));
  }

  /** Two processes of one build differ for as long as they live: that is no difference between builds. */
  @Test
  void processesThatDiffer_widenTheInterval() {
    RandomGenerator random = new SplittableRandom(1);
    RatioInterval alike = RatioInterval.of(noise(random, 8, 12, 0, 0.02), Confidence.ONE_FIGURE);
    RatioInterval apart = RatioInterval.of(noise(random, 8, 12, 0.05, 0.02), Confidence.ONE_FIGURE);
    assertThat(apart.halfWidth()).isGreaterThan(2 * alike.halfWidth());
  }

  private static List<double[]> noise(
      RandomGenerator random, int groups, int pairs, double between, double within) {
    List<double[]> ratios = new ArrayList<>();
    for (int g = 0; g < groups; g++) {
      double center = 1 + between * random.nextGaussian();
      double[] group = new double[pairs];
      for (int p = 0; p < pairs; p++) {
        group[p] = center + within * random.nextGaussian();
      }
      ratios.add(group);
    }
    return ratios;
  }
}
