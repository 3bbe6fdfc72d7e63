package io.sluice.embedded;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** The one place that waits for something outside this process which sends no event. */
final class Await {
  private static final Duration PAUSE = Duration.ofMillis(10);

  private Await() {}

  /** True as soon as the condition holds; false when it still does not at the end of the limit. */
  static boolean until(Duration limit, BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > limit.toNanos()) {
        return false;
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new EmbeddedPostgresException("interrupted while waiting for PostgreSQL");
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return true;
  }
}
