package io.sluice.engine;

import java.time.Duration;

/** Bounds how many jobs may be in flight after a pause: a few at first, twice as many with every step. */
final class SlowStart {
  /** The step after a breaker closes. */
  static final long STEP = Duration.ofSeconds(1).toNanos();

  private static final int STEPS = 16;

  private boolean going;
  private int first;
  private long step = STEP;
  private long begunAt;

  void begin(int atFirst, long each, long now) {
    going = true;
    step = each;
    first = Math.max(1, atFirst);
    begunAt = now;
  }

  /** At most so many in hand; as many as one likes when it is over. */
  int limit(long now) {
    if (!isGoing(now)) {
      return Integer.MAX_VALUE;
    }
    long steps = (now - begunAt) / step;
    return (int) Math.min(Integer.MAX_VALUE, (long) first << steps);
  }

  boolean isGoing(long now) {
    going = going && now - begunAt < STEPS * step;
    return going;
  }

  /** How long until more are allowed. */
  long untilNext(long now) {
    return step - (now - begunAt) % step;
  }
}
