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
  private static final Duration DEADLINE = Duration.ofSeconds(20);
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private Eventually() {}

  /** Returns as soon as the condition holds, and fails with {@code what} when it does not come to. */
  public static void await(String what, BooleanSupplier condition) {
    await(what, DEADLINE, condition);
  }

  public static void await(String what, Duration deadline, BooleanSupplier condition) {
    long end = System.nanoTime() + deadline.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("not within " + deadline.toSeconds() + " s: " + what);
      }
      if (Thread.interrupted()) {
        throw new AssertionError("interrupted while waiting: " + what);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }
}
