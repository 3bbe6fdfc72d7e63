package io.sluice.postgres;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When to look through all ready work from its very start, which finds what came in behind the marks.
 * As a rule that costs nothing and every look is such a look. While somebody holds an old snapshot, it
 * walks over all that is gone and cannot be cleaned: then callers wait for it during a tenth of the time
 * at most and never long, and otherwise begin at the marks while a full look goes on aside, twice a
 * second or as often as its length allows.
 */
final class FullLooks {
  private static final long NEXT_TO_NOTHING = Duration.ofNanos(500_000).toNanos();
  private static final long MOST_CREDIT = Duration.ofMillis(10).toNanos();
  /** Waiting for full looks takes one part in so many. */
  private static final int PARTS = 10;

  private static final long EVERY = Duration.ofMillis(500).toNanos();

  private final LongSupplier nanoTime;
  /** What the last three looks took; their least is the estimate, for machines stumble. */
  private final long[] costs = new long[3];

  private int next;
  private long credit = MOST_CREDIT;
  private long creditedAt;
  private long endedAt;
  private boolean wanted;
  private boolean underWay;

  FullLooks(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.creditedAt = nanoTime.getAsLong();
    this.endedAt = creditedAt;
  }

  /** True when the caller may wait for a full look. */
  synchronized boolean isAffordable() {
    long now = nanoTime.getAsLong();
    credit = Math.min(MOST_CREDIT, credit + (now - creditedAt) / PARTS);
    creditedAt = now;
    long cost = estimate();
    return cost <= NEXT_TO_NOTHING || cost <= credit;
  }

  /** The moment, for whoever begins a look. */
  long now() {
    return nanoTime.getAsLong();
  }

  /** Notes the end of a look that a caller waited for since this moment. */
  synchronized void ended(long since) {
    note(since);
    credit -= estimate();
  }

  /** True when a look aside is due; the caller makes it and says so when it has ended. */
  synchronized boolean begin() {
    long since = nanoTime.getAsLong() - endedAt;
    if (underWay || since < (wanted ? estimate() : Math.max(EVERY, estimate()))) {
      return false;
    }
    underWay = true;
    wanted = false;
    return true;
  }

  synchronized void endedAside(long since) {
    underWay = false;
    note(since);
  }

  /** Asks for a look as soon as may be: something came back, nobody says where. */
  synchronized void want() {
    wanted = true;
  }

  private void note(long since) {
    endedAt = nanoTime.getAsLong();
    costs[next] = endedAt - since;
    next = (next + 1) % costs.length;
  }

  private long estimate() {
    return Math.min(costs[0], Math.min(costs[1], costs[2]));
  }
}
