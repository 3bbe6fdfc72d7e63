package io.sluice.benchmarks.compare;

import io.sluice.benchmarks.compare.Measurement.Figure;
import java.util.Collection;

/** What the interval of a figure means. Ordered by precedence: one rate that is worse decides for all. */
enum Verdict {
  WORSE("slower", "more"),
  UNDECIDED("undecided, the interval is too wide", "undecided, the interval is too wide"),
  BETTER("faster", "less"),
  SAME("no difference", "no difference");

  private final String rate;
  private final String cost;

  Verdict(String rate, String cost) {
    this.rate = rate;
    this.cost = cost;
  }

  static Verdict of(RatioInterval interval, Figure figure) {
    if (interval.isBelow(1)) {
      return figure == Figure.RATE ? WORSE : BETTER;
    }
    if (interval.isAbove(1)) {
      return figure == Figure.RATE ? BETTER : WORSE;
    }
    return interval.halfWidth() <= Comparison.NARROW ? SAME : UNDECIDED;
  }

  /** The verdict that takes precedence. */
  static Verdict overall(Collection<Verdict> verdicts) {
    return verdicts.stream().min(Verdict::compareTo).orElseThrow();
  }

  String words(Figure figure) {
    return figure == Figure.RATE ? rate : cost;
  }
}
