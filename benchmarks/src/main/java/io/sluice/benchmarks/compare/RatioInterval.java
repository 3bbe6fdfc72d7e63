package io.sluice.benchmarks.compare;

import java.util.Arrays;
import java.util.List;

/**
 * A ratio with a confidence interval.
 *
 * <p>Ratios are measured in groups, one for each generation of processes. Two processes of one build differ by
 * a few per cent for as long as they live, because the JVM compiled them differently. So the spread is taken
 * from group to group: the ratio is the mean of the medians of the groups, with Student's interval around it.
 */
record RatioInterval(double ratio, double low, double high) {
  /** How sure an interval is. */
  enum Confidence {
    /** 95 %: of twenty such intervals, one does not contain the truth. */
    ONE_FIGURE,
    /** 98.3 %: of twenty times three such intervals, one does not contain the truth. */
    THREE_FIGURES
  }

  /** Student's factors: standard errors to either side, by the number of groups less one. */
  private static final double[] FOR_ONE = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160,
        2.145,
    2.131, 2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048
  };

  private static final double[] FOR_THREE = {
    38.188, 7.649, 4.857, 3.961, 3.534, 3.287, 3.128, 3.016, 2.933, 2.870, 2.820, 2.779, 2.746,
        2.718,
    2.694, 2.673, 2.655, 2.639, 2.625, 2.613, 2.601, 2.591, 2.582, 2.574, 2.566, 2.559, 2.552, 2.546
  };

  static RatioInterval of(List<double[]> groups, Confidence confidence) {
    double[] medians = groups.stream().mapToDouble(Medians::ofPairs).toArray();
    double mean = Arrays.stream(medians).average().orElseThrow();
    if (medians.length == 1) {
      return new RatioInterval(mean, 0, Double.POSITIVE_INFINITY);
    }
    double squares =
        Arrays.stream(medians).map(median -> (median - mean) * (median - mean)).sum();
    int freedom = medians.length - 1;
    double standardError = Math.sqrt(squares / freedom / medians.length);
    double[] factors = confidence == Confidence.ONE_FIGURE ? FOR_ONE : FOR_THREE;
    double reach = factors[Math.min(freedom, factors.length) - 1] * standardError;
    return new RatioInterval(mean, mean - reach, mean + reach);
  }

  /** Half its width as a part of the ratio: 0.03 is ± 3 %. */
  double halfWidth() {
    return (high - low) / 2 / ratio;
  }

  boolean isBelow(double value) {
    return high < value;
  }

  boolean isAbove(double value) {
    return low > value;
  }
}
