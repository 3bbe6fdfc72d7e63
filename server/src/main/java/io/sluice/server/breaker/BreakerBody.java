package io.sluice.server.breaker;

import io.sluice.BreakerSettings;
import io.sluice.server.rest.Checks;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The settings of a breaker as people write them. What is null is the default. */
public record BreakerBody(
    @Nullable Double errorThreshold,
    @Nullable Duration window,
    @Nullable Integer minimumCalls,
    @Nullable Duration slowCallThreshold,
    @Nullable Duration tripDuration,
    @Nullable Integer halfOpenMaxRequests) {

  static final BreakerBody EMPTY = new BreakerBody(null, null, null, null, null, null);

  static BreakerBody of(@Nullable BreakerSettings settings) {
    return settings == null
        ? EMPTY
        : new BreakerBody(
            settings.errorThreshold(),
            settings.window(),
            settings.minimumCalls(),
            settings.slowCallThreshold(),
            settings.tripDuration(),
            settings.halfOpenMaxRequests());
  }

  /** Notes everything that is wrong, under this name of the whole. */
  public void check(Checks checks, String field) {
    String under = field.isEmpty() ? "" : field + ".";
    BreakerSettings ok = BreakerSettings.DEFAULT;
    if (errorThreshold != null) {
      take(checks, under + "errorThreshold", () -> ok.withErrorThreshold(errorThreshold));
    }
    if (window != null) {
      take(checks, under + "window", () -> ok.withWindow(window));
    }
    if (minimumCalls != null) {
      take(checks, under + "minimumCalls", () -> ok.withMinimumCalls(minimumCalls));
    }
    if (slowCallThreshold != null) {
      take(checks, under + "slowCallThreshold", () -> ok.withSlowCallThreshold(slowCallThreshold));
    }
    if (tripDuration != null) {
      take(checks, under + "tripDuration", () -> ok.withTripDuration(tripDuration));
    }
    if (halfOpenMaxRequests != null) {
      take(
          checks,
          under + "halfOpenMaxRequests",
          () -> ok.withHalfOpenMaxRequests(halfOpenMaxRequests));
    }
  }

  private interface Try {
    BreakerSettings settings();
  }

  private static void take(Checks checks, String field, Try part) {
    checks.take(field, part::settings);
  }

  /** The settings, with defaults for what is not told; throws INVALID_MESSAGE. */
  public BreakerSettings settings() {
    BreakerSettings ok = BreakerSettings.DEFAULT;
    return new BreakerSettings(
        errorThreshold == null ? ok.errorThreshold() : errorThreshold,
        window == null ? ok.window() : window,
        minimumCalls == null ? ok.minimumCalls() : minimumCalls,
        slowCallThreshold,
        tripDuration == null ? ok.tripDuration() : tripDuration,
        halfOpenMaxRequests == null ? ok.halfOpenMaxRequests() : halfOpenMaxRequests);
  }
}
