package io.sluice;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a breaker opens, for how long, and what closes it again. It opens when of the calls of the last
 * {@code window}, at least {@code minimumCalls}, the share {@code errorThreshold} has failed; with a
 * {@code slowCallThreshold} those that took so long have failed too. After {@code tripDuration} at most
 * {@code halfOpenMaxRequests} jobs try again, over all instances: when all of them are well it closes,
 * when one is not it opens again.
 */
public record BreakerSettings(
    double errorThreshold,
    Duration window,
    int minimumCalls,
    @Nullable Duration slowCallThreshold,
    Duration tripDuration,
    int halfOpenMaxRequests) {
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final int MOST_CALLS = 1_000_000;
  private static final int MOST_PROBES = 1_000;

  public static final BreakerSettings DEFAULT = new BreakerSettings(
      Defaults.BREAKER_THRESHOLD,
      Defaults.BREAKER_WINDOW,
      Defaults.BREAKER_MINIMUM_CALLS,
      null,
      Defaults.BREAKER_TRIP,
      Defaults.BREAKER_PROBES);

  public BreakerSettings {
    if (!(errorThreshold > 0 && errorThreshold <= 1)) {
      throw SluiceException.invalid(
          "errorThreshold",
          "must be a share of calls, more than 0 and at most 1, was " + errorThreshold);
    }
    checkTime("window", window);
    checkCount("minimumCalls", minimumCalls, MOST_CALLS);
    if (slowCallThreshold != null) {
      checkTime("slowCallThreshold", slowCallThreshold);
    }
    checkTime("tripDuration", tripDuration);
    checkCount("halfOpenMaxRequests", halfOpenMaxRequests, MOST_PROBES);
  }

  private static void checkTime(String field, Duration time) {
    if (time.compareTo(SHORTEST) < 0 || time.compareTo(LONGEST) > 0) {
      throw SluiceException.invalid(field, "must be 1ms to 24h");
    }
  }

  private static void checkCount(String field, int count, int most) {
    if (count < 1 || count > most) {
      throw SluiceException.invalid(field, "must be 1 to " + most + ", was " + count);
    }
  }

  public BreakerSettings withErrorThreshold(double value) {
    return new BreakerSettings(
        value, window, minimumCalls, slowCallThreshold, tripDuration, halfOpenMaxRequests);
  }

  public BreakerSettings withWindow(Duration value) {
    return new BreakerSettings(
        errorThreshold, value, minimumCalls, slowCallThreshold, tripDuration, halfOpenMaxRequests);
  }

  public BreakerSettings withMinimumCalls(int value) {
    return new BreakerSettings(
        errorThreshold, window, value, slowCallThreshold, tripDuration, halfOpenMaxRequests);
  }

  public BreakerSettings withSlowCallThreshold(@Nullable Duration value) {
    return new BreakerSettings(
        errorThreshold, window, minimumCalls, value, tripDuration, halfOpenMaxRequests);
  }

  public BreakerSettings withTripDuration(Duration value) {
    return new BreakerSettings(
        errorThreshold, window, minimumCalls, slowCallThreshold, value, halfOpenMaxRequests);
  }

  public BreakerSettings withHalfOpenMaxRequests(int value) {
    return new BreakerSettings(
        errorThreshold, window, minimumCalls, slowCallThreshold, tripDuration, value);
  }
}
