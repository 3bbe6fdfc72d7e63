package io.sluice.store;

import java.time.Duration;

/**
 * How a worker keeps to the starts that a limited rate grants: it takes jobs at most {@code ahead} of them,
 * and begins a job at most {@code late} after its own, or gives it back. A rate that was not used for a
 * while leaves out what would start in that time, so that no window sees one too many for starts that
 * come late.
 */
public record StartTimes(Duration ahead, Duration late) {
  /** Jobs that are started at once, exactly when they are claimed. */
  public static final StartTimes NOW = new StartTimes(Duration.ZERO, Duration.ZERO);

  public StartTimes {
    if (ahead.isNegative() || late.isNegative()) {
      throw new IllegalArgumentException(
          "ahead and late must be zero or more, were " + ahead + " and " + late);
    }
  }
}
