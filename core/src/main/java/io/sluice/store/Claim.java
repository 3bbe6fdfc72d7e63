package io.sluice.store;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker asks for: at most {@code max} jobs, from these lanes in this order. With a {@code
 * lease}, each of them is held for that long from now and no longer by the worker's own. Where a rate is
 * limited, {@code starts} says how near the worker keeps to what is granted.
 */
public record Claim(
    long worker, List<LaneQuota> lanes, int max, @Nullable Duration lease, StartTimes starts) {
  public Claim {
    lanes = List.copyOf(lanes);
    if (lease != null && !lease.isPositive()) {
      throw new IllegalArgumentException("a lease must be more than zero, was " + lease);
    }
  }

  /** Jobs that are held by leases of their own, to be started now. */
  public Claim(long worker, List<LaneQuota> lanes, int max, Duration lease) {
    this(worker, lanes, max, lease, StartTimes.NOW);
  }

  /** Jobs that are held as long as the worker is, to be started now. */
  public Claim(long worker, List<LaneQuota> lanes, int max) {
    this(worker, lanes, max, null, StartTimes.NOW);
  }
}
