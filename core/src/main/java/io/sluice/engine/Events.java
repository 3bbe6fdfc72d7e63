package io.sluice.engine;

import io.sluice.Event;
import io.sluice.EventListener;
import io.sluice.Lane;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells listeners what happens, on a thread of its own and through a bounded queue: when listeners
 * are too slow events are dropped and counted, so that nobody who listens can slow or break the
 * engine.
 */
final class Events {
  private static final Logger LOG = LoggerFactory.getLogger(Events.class);
  private static final int BOUND = 10_000;

  private final List<EventListener> listeners = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Runnable> queue = new ArrayBlockingQueue<>(BOUND);
  private final AtomicLong dropped = new AtomicLong();
  private final InstantSource clock;

  Events(InstantSource clock) {
    this.clock = clock;
  }

  void add(EventListener listener) {
    listeners.add(listener);
  }

  void job(Event.Kind kind, Attempt attempt, @Nullable String detail) {
    job(kind, attempt.ref().job(), attempt.lane(), attempt.claimed.attempt(), false, detail);
  }

  void job(
      Event.Kind kind,
      UUID job,
      Lane lane,
      int attempt,
      boolean willRetry,
      @Nullable String detail) {
    if (!listeners.isEmpty()) {
      tell(new Event.OfJob(kind, clock.instant(), job, lane, attempt, willRetry, detail));
    }
  }

  void tell(Event event) {
    if (!listeners.isEmpty() && !queue.offer(() -> deliver(event))) {
      dropped.incrementAndGet();
    }
  }

  /** Hands on what is there, or waits a moment for something. */
  Duration runOnce() throws InterruptedException {
    Runnable next = queue.poll(100, TimeUnit.MILLISECONDS);
    if (next != null) {
      next.run();
    }
    long lost = dropped.getAndSet(0);
    if (lost > 0) {
      LOG.warn("{} events were dropped: listeners are too slow", lost);
    }
    return Duration.ZERO;
  }

  /** Waits until all is handed on, at most so long: nobody waits for a listener that blocks. */
  boolean flush(long nanos) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    boolean flushed = queue.offer(done::countDown) && done.await(nanos, TimeUnit.NANOSECONDS);
    if (!flushed) {
      LOG.warn("{} events were not handed on: listeners are too slow", queue.size());
    }
    return flushed;
  }

  boolean isHeard() {
    return !listeners.isEmpty();
  }

  private void deliver(Event event) {
    for (EventListener listener : listeners) {
      try {
        listener.on(event);
      } catch (Throwable e) {
        LOG.warn("a listener threw on {}", event, e);
      }
    }
  }
}
