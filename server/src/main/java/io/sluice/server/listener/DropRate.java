package io.sluice.server.listener;

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

  private final LongSupplier nanoTime;
  /** When all that was dropped fits the rate. */
  private long settledAt;

  DropRate(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.settledAt = nanoTime.getAsLong() - BURST_NANOS;
  }

  /** Counts dropped bytes and returns how long to wait before more may be read. */
  synchronized long count(int bytes) {
    long now = nanoTime.getAsLong();
    long from = Math.max(settledAt - now, -BURST_NANOS);
    long waiting = from + bytes * TimeUnit.SECONDS.toNanos(1) / BYTES_PER_SECOND;
    settledAt = now + waiting;
    return Math.max(0, waiting);
  }

  /** Counts dropped bytes and waits until more may be read, or until the thread is interrupted. */
  void await(int bytes) {
    long left = count(bytes);
    long until = System.nanoTime() + left;
    while (left > 0 && !Thread.currentThread().isInterrupted()) {
      LockSupport.parkNanos(this, left);
      left = until - System.nanoTime();
    }
  }
}
