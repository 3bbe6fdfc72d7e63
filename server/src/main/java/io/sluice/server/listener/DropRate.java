package io.sluice.server.listener;

import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * The rate at which all connections together drop the rest of refused requests. Reading it as fast as it comes would
 * take the processors from everybody else: a client may send gigabytes that nobody wants.
 */
final class DropRate {
  private static final long BYTES_PER_SECOND = 32L << 20;
  /** What may be dropped at once after a while without any, so that one refused upload does not wait. */
  private static final long BURST_NANOS = TimeUnit.SECONDS.toNanos(2);

  /**
   * Beyond this wait a connection is closed instead. A thread that waits keeps its connection from the count of those that
   * may be accepted, so a flood of refused requests must not make waits long.
   */
  private static final long MOST_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final LongSupplier nanoTime;
  /** When all that was dropped fits the rate. */
  private long settledAt;

  DropRate(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.settledAt = nanoTime.getAsLong() - BURST_NANOS;
  }

  /** Counts dropped bytes and returns how long to wait before more may be read; nothing when that would be too long. */
  synchronized OptionalLong count(int bytes) {
    long now = nanoTime.getAsLong();
    long from = Math.max(settledAt - now, -BURST_NANOS);
    if (from > MOST_WAIT_NANOS) {
      return OptionalLong.empty();
    }
    long waiting = from + bytes * TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
    settledAt = now + waiting;
    return OptionalLong.of(Math.max(0, waiting));
  }

  /** Counts dropped bytes and waits until more may be read; false when none may be read soon. */
  boolean await(int bytes) {
    OptionalLong wait = count(bytes);
    long left = wait.orElse(0);
    long until = System.nanoTime() + left;
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, left);
      left = until - System.nanoTime();
    }
    return wait.isPresent();
  }
}
