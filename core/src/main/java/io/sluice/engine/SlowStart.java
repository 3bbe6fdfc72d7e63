package io.sluice.engine;

import java.time.Duration;

/** How many jobs may be in hand after a pause: a few at first, twice as many every second. */
final class SlowStart {
  static final long STEP = Duration.ofSeconds(1).toNanos();
  private static final int STEPS = 16;

  private boolean going;
  private int first;
  private long begunAt;

  void begin(int atFirst, long now) {
    going = true;
    first = Math.max(1, atFirst);
    begunAt = now;
  }

  /** At most so many in hand; as many as one likes when it is over. */
  int limit(long now) {
    if (!isGoing(now)) {
      return Integer.MAX_VALUE;
    }
    long steps = (now - begunAt) / STEP;
    return (int) Math.min(Integer.MAX_VALUE, (long) first << steps);
  }

  boolean isGoing(long now) {
    going = going && now - begunAt < STEPS * STEP;
    return going;
  }

  /** How long until more are allowed. */
  long untilNext(long now) {
    return STEP - (now - begunAt) % STEP;
  }
}
