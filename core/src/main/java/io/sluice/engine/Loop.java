package io.sluice.engine;

import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A duty done again and again on a thread of its own. The duty says how long to rest; {@link #wake}
 * ends the rest early. A duty that throws is tried again after a growing, jittered pause: a loop
 * never dies.
 */
final class Loop {
  /** Does its part once and says when it wants to be called again. */
  interface Duty {
    Duration runOnce() throws Exception;
  }

  private static final Logger LOG = LoggerFactory.getLogger(Loop.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final String name;
  private final Duty duty;
  private final Duration longestPause;
  private final RandomGenerator random;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition called = lock.newCondition();
  private boolean woken;
  private volatile boolean stopped;
  private int failures;

  /** A loop whose pauses after a failure grow to this, and never beyond five seconds. */
  Loop(String name, Duty duty, Duration longestPause, RandomGenerator random) {
    this.name = name;
    this.duty = duty;
    this.longestPause = longestPause.compareTo(LONGEST_PAUSE) < 0 ? longestPause : LONGEST_PAUSE;
    this.random = random;
    this.thread = Thread.ofPlatform().daemon().name("sluice-" + name).unstarted(this::run);
  }

  void start() {
    thread.start();
  }

  /** Has the duty done once more, now or right after the round under way. */
  void wake() {
    lock.lock();
    try {
      woken = true;
      called.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Begins to end the loop, without waiting for it. */
  void halt() {
    stopped = true;
    wake();
  }

  /** Ends the loop after the round under way, which is interrupted when it takes longer than this. */
  void stop(Duration patience) {
    halt();
    if (!joined(patience)) {
      thread.interrupt();
      joined(FIRST_PAUSE);
    }
  }

  private boolean joined(Duration patience) {
    try {
      return thread.getState() == Thread.State.NEW || thread.join(patience);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void run() {
    while (!stopped) {
      rest(round());
    }
  }

  private Duration round() {
    try {
      Duration next = duty.runOnce();
      failures = 0;
      return next;
    } catch (InterruptedException e) {
      return Duration.ZERO;
    } catch (Throwable e) {
      return failed(e);
    }
  }

  private Duration failed(Throwable error) {
    failures++;
    if (!stopped && failures == 1) {
      LOG.warn("{} failed and will try again: {}", name, error.toString());
    }
    LOG.debug("{} failed {} times in a row", name, failures, error);
    return pauseAfter(failures);
  }

  /** Between half and the whole of a pause that doubles with each failure in a row, up to the longest. */
  Duration pauseAfter(int inARow) {
    long pause = FIRST_PAUSE.toMillis() << Math.min(inARow - 1, 10);
    double jitter = 0.5 + random.nextDouble() / 2;
    return Duration.ofMillis((long) (Math.min(pause, longestPause.toMillis()) * jitter));
  }

  private void rest(Duration time) {
    lock.lock();
    try {
      long left = time.toNanos();
      while (!woken && !stopped && left > 0) {
        left = called.awaitNanos(left);
      }
      woken = false;
    } catch (InterruptedException e) {
      // Only stop() interrupts; the loop then ends by its flag.
    } finally {
      lock.unlock();
    }
  }
}
