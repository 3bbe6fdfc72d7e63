package io.sluice.testkit;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Waiting for what another thread does: the one place where a test parks. The deadline is far beyond
 * what a healthy machine needs, so that only a condition that never comes true runs into it.
 */
public final class Eventually {
  private static final Duration DEADLINE = Duration.ofSeconds(60);
  private static final long SHORTEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(2);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(50);

  private Eventually() {}

  /** Returns as soon as the condition holds, and fails with {@code what} when it does not come to. */
  public static void await(String what, BooleanSupplier condition) {
    await(what, DEADLINE, condition);
  }

  public static void await(String what, Duration deadline, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      long waited = System.nanoTime() - start;
      if (waited > deadline.toNanos()) {
        throw new AssertionError("not within " + deadline.toSeconds() + " s: " + what);
      }
      if (Thread.interrupted()) {
        throw new AssertionError("interrupted while waiting: " + what);
      }
      LockSupport.parkNanos(pause(waited));
    }
  }

  /** A tenth of the wait so far: looking costs what those who are waited for need. */
  private static long pause(long waited) {
    return Math.clamp(waited / 10, SHORTEST_PAUSE, LONGEST_PAUSE);
  }
}
