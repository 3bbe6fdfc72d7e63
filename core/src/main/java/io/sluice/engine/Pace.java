package io.sluice.engine;

import java.time.Duration;

/**
 * How far ahead an engine claims: what it will start within a tenth of a second at the rate at which
 * it has been getting through its work, and nothing more.
 */
final class Pace {
  private static final double AHEAD_SECONDS = 0.1;
  private static final int MOST_AHEAD = 5_000;
  private static final long WINDOW = Duration.ofMillis(20).toNanos();
  private static final double DECAY = 0.5;

  private boolean begun;
  private long since;
  private long endedThen;
  private double perSecond;

  /** How many units to hold beyond the slots, now that so many have ended. */
  int ahead(long now, long ended) {
    if (!begun) {
      begun = true;
      since = now;
      endedThen = ended;
    }
    long window = now - since;
    if (window >= WINDOW) {
      double measured = (ended - endedThen) * 1e9 / window;
      perSecond = measured > perSecond ? measured : perSecond + (measured - perSecond) * DECAY;
      since = now;
      endedThen = ended;
    }
    return (int) Math.min(MOST_AHEAD, perSecond * AHEAD_SECONDS);
  }
}
