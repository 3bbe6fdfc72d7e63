package io.sluice;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a limit is used. {@code running} jobs count against its concurrency, {@code holders} says on
 * which workers; {@code spent} starts (at most its burst, and more when costs are in debt) are not made
 * good yet, {@code nextStartAt} is when the next job may start and {@code resetsAt} when the whole burst
 * is free again; the three are null without a rate, and for a pattern. {@code waiting} jobs are ready; a
 * store may stop counting them at 100,000.
 */
public record LimitState(
    Limit limit,
    int running,
    Map<String, Integer> holders,
    @Nullable Double spent,
    @Nullable Instant nextStartAt,
    @Nullable Instant resetsAt,
    long waiting) {
  public LimitState {
    holders = Map.copyOf(holders);
  }
}
