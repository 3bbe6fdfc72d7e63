package io.sluice.server.urlgroup;

import io.sluice.Breaker;
import io.sluice.BreakerState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a group stands right now, whatever its settings say.
 *
 * @param breaker the state of its circuit breaker
 * @param openUntil when jobs may try again, while the breaker is open
 * @param heldUntil until when its receiver asked to be left alone
 * @param heldBy what keeps its jobs waiting; half-open, the breaker lets a few of them try
 */
record Standing(
    BreakerState breaker,
    @Nullable Instant openUntil,
    @Nullable Instant heldUntil,
    List<String> heldBy) {

  static Standing of(UrlGroup group, @Nullable Breaker breaker, boolean failsItsCheck) {
    BreakerState state = breaker == null ? BreakerState.CLOSED : breaker.state();
    boolean asked = breaker != null && breaker.heldFor().isPositive();
    List<String> heldBy = new ArrayList<>();
    if (!group.power().enabled()) {
      heldBy.add("disabled");
    }
    if (failsItsCheck) {
      heldBy.add("health-check");
    }
    if (state != BreakerState.CLOSED) {
      heldBy.add("breaker");
    }
    if (asked) {
      heldBy.add("receiver");
    }
    return new Standing(
        state,
        breaker != null && state == BreakerState.OPEN ? breaker.openUntil() : null,
        breaker != null && asked ? breaker.heldUntil() : null,
        List.copyOf(heldBy));
  }
}
