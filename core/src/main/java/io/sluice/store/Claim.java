package io.sluice.store;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker asks for: at most {@code max} jobs, from these lanes in this order. With a {@code
 * lease}, each of them is held for that long from now and no longer by the worker's own.
 */
public record Claim(
    long worker, List<LaneQuota> lanes, int max, @Nullable Duration lease) {
  public Claim {
    lanes = List.copyOf(lanes);
    if (lease != null && !lease.isPositive()) {
      throw new IllegalArgumentException("a lease must be more than zero, was " + lease);
    }
  }

  /** Jobs that are held as long as the worker is. */
  public Claim(long worker, List<LaneQuota> lanes, int max) {
    this(worker, lanes, max, null);
  }
}
