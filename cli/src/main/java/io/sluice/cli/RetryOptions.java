package io.sluice.cli;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How often and when a failed attempt is tried again. */
final class RetryOptions {
  @Option(
      names = "--max-attempts",
      order = 40,
      paramLabel = "N",
      description = "attempts in all (5)")
  private @Nullable Integer maxAttempts;

  @Option(
      names = "--retry-strategy",
      order = 41,
      paramLabel = "NAME",
      description = "exponential, linear, immediate or none (exponential)")
  private @Nullable String strategy;

  @Option(
      names = "--retry-delay",
      order = 42,
      paramLabel = "TIME",
      description = "before the second attempt (1s)")
  private @Nullable String initialDelay;

  @Option(
      names = "--retry-multiplier",
      order = 43,
      paramLabel = "X",
      description = "by which the delay grows (2)")
  private @Nullable BigDecimal multiplier;

  @Option(
      names = "--retry-max-delay",
      order = 44,
      paramLabel = "TIME",
      description = "that no delay exceeds (60s)")
  private @Nullable String maxDelay;

  @Option(
      names = "--retry-jitter",
      order = 45,
      paramLabel = "SHARE",
      description = "by which delays differ at random (0.1)")
  private @Nullable BigDecimal jitter;

  /** Puts what was given into a field such as {@code retry}. */
  void addTo(Body body, String field) {
    body.set(field + ".maxAttempts", maxAttempts)
        .set(field + ".strategy", strategy)
        .set(field + ".initialDelay", initialDelay)
        .set(field + ".multiplier", multiplier)
        .set(field + ".maxDelay", maxDelay)
        .set(field + ".jitter", jitter);
  }
}
