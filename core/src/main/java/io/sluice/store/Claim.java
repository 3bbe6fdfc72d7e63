package io.sluice.store;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a worker asks for: at most {@code max} jobs, from these lanes in this order. With a {@code
 * lease}, each of them is held for that long from now and no longer by the worker's own. Where a rate is
 * limited, {@code starts} says how near the worker keeps to what is granted. Payloads larger than {@link
 * #SMALL} come only as far as they have at most {@code bytes} bytes together with the others; the first of
 * them comes in any case, unless {@code bytes} is 0.
 */
public record Claim(
    long worker,
    List<LaneQuota> lanes,
    int max,
    @Nullable Duration lease,
    StartTimes starts,
    long bytes) {
  /** The most bytes of a payload that is claimed whatever the others have. */
  public static final int SMALL = 64 << 10;

  public Claim {
    lanes = List.copyOf(lanes);
    if (lease != null && !lease.isPositive()) {
      throw new IllegalArgumentException("a lease must be more than zero, was " + lease);
    }
  }

  /** As many bytes as the jobs have. */
  public Claim(
      long worker, List<LaneQuota> lanes, int max, @Nullable Duration lease, StartTimes starts) {
    this(worker, lanes, max, lease, starts, Long.MAX_VALUE);
  }

  /** The same, with at most this many bytes. */
  public Claim within(long most) {
    return new Claim(worker, lanes, max, lease, starts, most);
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
