package io.sluice.server.breaker;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.Breaker;
import io.sluice.BreakerSettings;
import io.sluice.BreakerState;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A breaker as it is read. The settings are null where there are none: then it never opens by itself.
 *
 * @param type the type of jobs that it is on; not told of a URL group
 * @param openUntil when jobs may try again, while it is open
 * @param heldUntil until when the receiver of a URL group asked to be left alone
 */
public record BreakerView(
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String type,
    String state,
    double failureRate,
    long calls,
    @Nullable Instant openUntil,
    @Nullable Instant heldUntil,
    @Nullable Double errorThreshold,
    @Nullable Duration window,
    @Nullable Integer minimumCalls,
    @Nullable Duration slowCallThreshold,
    @Nullable Duration tripDuration,
    @Nullable Integer halfOpenMaxRequests) {

  /** The breaker of a URL group, or none that was needed yet. */
  public static BreakerView ofGroup(@Nullable Breaker breaker, @Nullable BreakerSettings settings) {
    return breaker == null
        ? of(null, BreakerState.CLOSED, Breaker.Calls.NONE, null, null, BreakerBody.of(settings))
        : of(null, breaker);
  }

  static BreakerView ofType(Breaker breaker) {
    return of(breaker.scope().name(), breaker);
  }

  private static BreakerView of(@Nullable String type, Breaker breaker) {
    return of(
        type,
        breaker.state(),
        breaker.calls(),
        breaker.state() == BreakerState.OPEN ? breaker.openUntil() : null,
        breaker.heldFor().isPositive() ? breaker.heldUntil() : null,
        BreakerBody.of(breaker.settings()));
  }

  private static BreakerView of(
      @Nullable String type,
      BreakerState state,
      Breaker.Calls calls,
      @Nullable Instant openUntil,
      @Nullable Instant heldUntil,
      BreakerBody settings) {
    return new BreakerView(
        type,
        state.name(),
        calls.failureRate(),
        calls.total(),
        openUntil,
        heldUntil,
        settings.errorThreshold(),
        settings.window(),
        settings.minimumCalls(),
        settings.slowCallThreshold(),
        settings.tripDuration(),
        settings.halfOpenMaxRequests());
  }
}
