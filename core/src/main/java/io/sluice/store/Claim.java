package io.sluice.store;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker asks for: at most {@code max} jobs, from these lanes in this order. With a {@code
 * lease}, each of them is held for that long from now and no longer by the worker's own. Where a rate is
 * limited, jobs are handed out at most {@code ahead} of their start.
 */
public record Claim(
    long worker, List<LaneQuota> lanes, int max, @Nullable Duration lease, Duration ahead) {
  public Claim {
    lanes = List.copyOf(lanes);
    if (lease != null && !lease.isPositive()) {
      throw new IllegalArgumentException("a lease must be more than zero, was " + lease);
    }
    if (ahead.isNegative()) {
      throw new IllegalArgumentException("ahead must be zero or more, was " + ahead);
    }
  }

  /** Jobs that are held by leases of their own, to be started now. */
  public Claim(long worker, List<LaneQuota> lanes, int max, Duration lease) {
    this(worker, lanes, max, lease, Duration.ZERO);
  }

  /** Jobs that are held as long as the worker is, to be started now. */
  public Claim(long worker, List<LaneQuota> lanes, int max) {
    this(worker, lanes, max, null, Duration.ZERO);
  }
}
