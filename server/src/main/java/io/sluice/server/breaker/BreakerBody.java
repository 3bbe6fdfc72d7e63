package io.sluice.server.breaker;

import io.sluice.BreakerSettings;
import io.sluice.server.rest.Checks;
import java.time.Duration;
import java.util.function.Function;
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
    Parts parts = new Parts(checks, field.isEmpty() ? "" : field + ".");
    BreakerSettings ok = BreakerSettings.DEFAULT;
    parts.check("errorThreshold", errorThreshold, ok::withErrorThreshold);
    parts.check("window", window, ok::withWindow);
    parts.check("minimumCalls", minimumCalls, ok::withMinimumCalls);
    parts.check("slowCallThreshold", slowCallThreshold, ok::withSlowCallThreshold);
    parts.check("tripDuration", tripDuration, ok::withTripDuration);
    parts.check("halfOpenMaxRequests", halfOpenMaxRequests, ok::withHalfOpenMaxRequests);
  }

  /** Tries each part of the settings by itself. */
  private record Parts(Checks checks, String under) {
    <T> void check(String name, @Nullable T value, Function<T, BreakerSettings> with) {
      if (value != null) {
        checks.take(under + name, () -> with.apply(value));
      }
    }
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
