package io.sluice.engine;

import io.sluice.Stats;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Counts what this engine does. Totals are since the start; times and the retry rate are of the last
 * two and a half to five minutes, kept in two halves of which the older is thrown away.
 */
final class Meter {
  private static final long HALF = Duration.ofSeconds(150).toNanos();
  private static final int BUCKETS = 400;

  /** Times in buckets of a fifth of a doubling each, from one microsecond up. */
  private static final class Half {
    final AtomicLongArray times = new AtomicLongArray(BUCKETS);
    final LongAdder attempts = new LongAdder();
    final LongAdder retries = new LongAdder();
    final LongAdder nanos = new LongAdder();
  }

  private final LongSupplier nanoTime;
  private final LongAdder completed = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder dead = new LongAdder();
  private final AtomicInteger stuck = new AtomicInteger();
  private volatile Half young = new Half();
  private volatile Half old = new Half();
  private volatile long turnedAt;

  Meter(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.turnedAt = nanoTime.getAsLong();
  }

  void completed(long nanos) {
    completed.increment();
    took(nanos, false);
  }

  void failed(long nanos, boolean retried, boolean died) {
    failed.increment();
    if (died) {
      dead.increment();
    }
    took(nanos, retried);
  }

  void stuck(int change) {
    stuck.addAndGet(change);
  }

  private void took(long nanos, boolean retried) {
    turn();
    Half half = young;
    half.attempts.increment();
    half.nanos.add(nanos);
    half.times.incrementAndGet(bucket(nanos));
    if (retried) {
      half.retries.increment();
    }
  }

  private void turn() {
    if (nanoTime.getAsLong() - turnedAt < HALF) {
      return;
    }
    synchronized (this) {
      if (nanoTime.getAsLong() - turnedAt >= HALF) {
        old = young;
        young = new Half();
        turnedAt = nanoTime.getAsLong();
      }
    }
  }

  private static int bucket(long nanos) {
    double micros = Math.max(1, nanos / 1000.0);
    return (int) Math.min(BUCKETS - 1, 5 * Math.log(micros) / Math.log(2));
  }

  private static Duration upperEdge(int bucket) {
    return Duration.ofNanos((long) (1000 * Math.pow(2, (bucket + 1) / 5.0)));
  }

  Stats.Work snapshot(int running) {
    turn();
    Half a = young;
    Half b = old;
    long attempts = a.attempts.sum() + b.attempts.sum();
    long nanos = a.nanos.sum() + b.nanos.sum();
    double retryRate = attempts == 0 ? 0 : (double) (a.retries.sum() + b.retries.sum()) / attempts;
    return new Stats.Work(
        running,
        completed.sum() + failed.sum(),
        completed.sum(),
        failed.sum(),
        dead.sum(),
        stuck.get(),
        retryRate,
        Duration.ofNanos(attempts == 0 ? 0 : nanos / attempts),
        quantile(a, b, attempts, 0.95),
        quantile(a, b, attempts, 0.99));
  }

  private static Duration quantile(Half a, Half b, long attempts, double share) {
    long wanted = (long) Math.ceil(attempts * share);
    long seen = 0;
    for (int i = 0; i < BUCKETS && wanted > 0; i++) {
      seen += a.times.get(i) + b.times.get(i);
      if (seen >= wanted) {
        return upperEdge(i);
      }
    }
    return Duration.ZERO;
  }
}
