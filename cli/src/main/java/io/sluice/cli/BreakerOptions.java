package io.sluice.cli;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** When a circuit breaker opens, and what closes it. */
final class BreakerOptions {
  @Option(
      names = "--error-threshold",
      order = 10,
      paramLabel = "SHARE",
      description = "share of calls that must have failed, as in 0.5")
  private @Nullable BigDecimal errorThreshold;

  @Option(
      names = "--breaker-window",
      order = 11,
      paramLabel = "TIME",
      description = "calls of so long are looked at (60s)")
  private @Nullable String window;

  @Option(
      names = "--minimum-calls",
      order = 12,
      paramLabel = "N",
      description = "fewer of them open nothing (10)")
  private @Nullable Integer minimumCalls;

  @Option(
      names = "--slow-call",
      order = 13,
      paramLabel = "TIME",
      description = "a call that takes so long has failed (none)")
  private @Nullable String slowCall;

  @Option(
      names = "--trip-duration",
      order = 14,
      paramLabel = "TIME",
      description = "how long it is open before jobs may try (30s)")
  private @Nullable String tripDuration;

  @Option(
      names = "--half-open-max",
      order = 15,
      paramLabel = "N",
      description = "how many of them may try, over all servers (1)")
  private @Nullable Integer halfOpenMax;

  @Mixin
  private WholeOptions whole = new WholeOptions();

  Body body(Console console) {
    return whole
        .body(console)
        .set("errorThreshold", errorThreshold)
        .set("window", window)
        .set("minimumCalls", minimumCalls)
        .set("slowCallThreshold", slowCall)
        .set("tripDuration", tripDuration)
        .set("halfOpenMaxRequests", halfOpenMax);
  }
}
