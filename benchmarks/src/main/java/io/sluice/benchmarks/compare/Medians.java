package io.sluice.benchmarks.compare;

import java.util.Arrays;

/** Middles of some values, which a few outliers do not move. */
final class Medians {
  private Medians() {}

  /** The middle value; of an even number of them, halfway between the middle two. */
  static double median(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int half = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
  }

  /**
   * The estimate of Hodges and Lehmann: the median of the means of all pairs. It varies less than the median of
   * the values, as if there were half as many values again.
   */
  static double ofPairs(double... values) {
    double[] means = new double[values.length * (values.length + 1) / 2];
    int count = 0;
    for (int i = 0; i < values.length; i++) {
      for (int j = i; j < values.length; j++) {
        means[count++] = (values[i] + values[j]) / 2;
      }
    }
    return median(means);
  }
}
