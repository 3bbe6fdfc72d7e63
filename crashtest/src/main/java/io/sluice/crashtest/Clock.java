package io.sluice.crashtest;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** The monotonic clock that all processes of one machine share, and waiting by it. */
final class Clock {
  private static final CountDownLatch NEVER = new CountDownLatch(1);

  private Clock() {}

  static long now() {
    return System.nanoTime();
  }

  static void rest(Duration time) throws InterruptedException {
    NEVER.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  static void restUntil(long moment) throws InterruptedException {
    NEVER.await(moment - now(), TimeUnit.NANOSECONDS);
  }

  /** True as soon as the condition holds, false when it does not within the limit. */
  static boolean awaits(Duration limit, BooleanSupplier condition) throws InterruptedException {
    long end = now() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (now() - end > 0) {
        return false;
      }
      rest(Duration.ofMillis(10));
    }
    return true;
  }
}
