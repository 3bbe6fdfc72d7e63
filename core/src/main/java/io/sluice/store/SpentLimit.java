package io.sluice.store;

import io.sluice.Scope;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A limit, or an order of jobs, that held these lanes of a claim back. {@code retryIn} is the time after
 * which it gives more, null when a job must end first.
 */
public record SpentLimit(
    Scope scope, List<Integer> lanes, @Nullable Duration retryIn) {
  public SpentLimit {
    lanes = List.copyOf(lanes);
  }
}
