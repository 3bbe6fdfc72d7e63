package io.sluice.benchmarks.compare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class MediansTest {
  @Test
  void median_isTheMiddle_orHalfwayBetweenTheMiddleTwo() {
    assertThat(Medians.median(3, 1, 2)).isEqualTo(2);
    assertThat(Medians.median(4, 1, 1_000, 2)).isEqualTo(3);
  }

  @Test
  void medianOfPairs_isOfTheMeansOfAllPairs() {
    assertThat(Medians.ofPairs(1, 2, 6)).isEqualTo(Medians.median(1, 1.5, 3.5, 2, 4, 6));
    assertThat(Medians.ofPairs(5)).isEqualTo(5);
  }

  @Test
  void medianOfPairs_variesLess_andAnOutlierHardlyMovesIt() {
    SplittableRandom random = new SplittableRandom(1);
    double single = 0;
    double pairs = 0;
    for (int i = 0; i < 500; i++) {
      double[] noise = DoubleStream.generate(random::nextGaussian).limit(16).toArray();
      single += Math.pow(Medians.median(noise), 2);
      pairs += Math.pow(Medians.ofPairs(noise), 2);
    }
    assertThat(pairs).isLessThan(0.85 * single);
    assertThat(Medians.ofPairs(1, 1, 1, 1, 1, 1, 1_000)).isEqualTo(1);
  }
}
