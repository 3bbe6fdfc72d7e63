package io.sluice.benchmarks;

import io.sluice.Jobs;
import io.sluice.Sluice;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Callers that together enqueue so many jobs a second, one by one, whether or not the others keep up. */
final class Feeders implements AutoCloseable {
  /** What they enqueue: when, on the system's monotonic clock, and the usual payload. */
  record Timed(long nanoTime, String text) {}

  static final String TYPE = "timed";
  private static final int CALLERS = 8;

  private final Sluice sluice;
  private final long pause;
  private final AtomicLong enqueued = new AtomicLong();
  private final ExecutorService pool = Executors.newFixedThreadPool(CALLERS);
  private final List<Future<?>> callers = new ArrayList<>();
  private volatile boolean stopped;

  Feeders(Sluice sluice, int perSecond) {
    this.sluice = sluice;
    this.pause = TimeUnit.SECONDS.toNanos(CALLERS) / perSecond;
  }

  void start() {
    for (int i = 0; i < CALLERS; i++) {
      callers.add(pool.submit(this::feed));
    }
  }

  private void feed() {
    for (long due = System.nanoTime(); !stopped; due += pause) {
      LockSupport.parkNanos(due - System.nanoTime());
      sluice.enqueue(Jobs.of(TYPE, new Timed(System.nanoTime(), Payload.ONE.text())));
      enqueued.incrementAndGet();
    }
  }

  long enqueued() {
    return enqueued.get();
  }

  /** Ends the feeding, and fails if one of the callers has failed. */
  @Override
  public void close() throws Exception {
    stopped = true;
    pool.shutdown();
    for (Future<?> caller : callers) {
      caller.get();
    }
  }
}
