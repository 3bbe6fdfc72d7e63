package io.sluice;

import java.time.Duration;

/**
 * The marks beyond which an engine calls itself unhealthy ({@code unhealthy…}) or only warns ({@code
 * alert…}), and those of the levels of a capped queue or tenant, as shares of its size, where that has none of its own.
 */
public record HealthRules(
    long unhealthyDepth,
    double unhealthyRetryRate,
    Duration unhealthyMeanTime,
    long alertDepth,
    double alertRetryRate,
    long alertDeadLetters,
    double warningLevel,
    double highLevel) {

  public static final HealthRules DEFAULT = new HealthRules(
      1000,
      0.5,
      Duration.ofSeconds(30),
      500,
      0.3,
      100,
      Defaults.WARNING_LEVEL,
      Defaults.HIGH_LEVEL);

  /** The marks of the levels. */
  public Marks marks() {
    return new Marks(warningLevel, highLevel);
  }

  public HealthRules withUnhealthyDepth(long depth) {
    return new HealthRules(
        depth,
        unhealthyRetryRate,
        unhealthyMeanTime,
        alertDepth,
        alertRetryRate,
        alertDeadLetters,
        warningLevel,
        highLevel);
  }

  public HealthRules withAlertDeadLetters(long jobs) {
    return new HealthRules(
        unhealthyDepth,
        unhealthyRetryRate,
        unhealthyMeanTime,
        alertDepth,
        alertRetryRate,
        jobs,
        warningLevel,
        highLevel);
  }

  public HealthRules withLevels(double warning, double high) {
    return new HealthRules(
        unhealthyDepth,
        unhealthyRetryRate,
        unhealthyMeanTime,
        alertDepth,
        alertRetryRate,
        alertDeadLetters,
        warning,
        high);
  }
}
