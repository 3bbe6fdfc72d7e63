package io.sluice.engine;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Verdicts that could not be written though others were: tried again apart from them, each after a pause that
 * doubles, for as long as the lease stands.
 */
final class StuckOutcomes {
  private static final int BATCH = 100;
  private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);
  private static final Duration IDLE = Duration.ofSeconds(1);
  /** From then on it is no passing thing: some three seconds after it was put aside. */
  private static final int MANY_TRIES = 6;

  private record Stuck(OutcomeWriter.Entry entry, int tries, long nextTry) {}

  private final OutcomeWriter writer;
  private final LongSupplier nanoTime;
  private final Runnable added;
  private final ReentrantLock lock = new ReentrantLock();
  private final List<Stuck> stuck = new ArrayList<>();
  /** How often those were tried that the writer has now. */
  private int tries;

  StuckOutcomes(OutcomeWriter.Parts parts, LongSupplier nanoTime, Runnable added) {
    this.writer = new OutcomeWriter(parts, BATCH, this::putBack);
    this.nanoTime = nanoTime;
    this.added = added;
  }

  /** Adds a verdict that could not be written, and wakes the loop that writes them. */
  void add(OutcomeWriter.Entry entry) {
    add(entry, 1);
    added.run();
  }

  private void putBack(OutcomeWriter.Entry entry) {
    add(entry, tries + 1);
  }

  private void add(OutcomeWriter.Entry entry, int times) {
    long pause =
        Math.min(FIRST_PAUSE.toNanos() << Math.min(times - 1, 20), LONGEST_PAUSE.toNanos());
    lock.lock();
    try {
      stuck.add(new Stuck(entry, times, nanoTime.getAsLong() + pause));
    } finally {
      lock.unlock();
    }
  }

  /** How many have not been written for some seconds. */
  int count() {
    lock.lock();
    try {
      return (int) stuck.stream().filter(one -> one.tries >= MANY_TRIES).count();
    } finally {
      lock.unlock();
    }
  }

  Duration runOnce() {
    if (writer.isEmpty()) {
      takeDue();
    }
    while (!writer.isEmpty()) {
      writer.write();
    }
    return untilNext();
  }

  /** Takes those that are due and were tried equally often, so that the newest need not wait for the oldest. */
  private void takeDue() {
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      tries = stuck.stream()
          .filter(one -> one.nextTry - now <= 0)
          .mapToInt(Stuck::tries)
          .min()
          .orElse(0);
      List<Stuck> due = stuck.stream()
          .filter(one -> one.nextTry - now <= 0 && one.tries == tries)
          .limit(BATCH)
          .toList();
      stuck.removeAll(due);
      due.forEach(one -> writer.unwritten().add(one.entry));
    } finally {
      lock.unlock();
    }
  }

  private Duration untilNext() {
    lock.lock();
    try {
      long now = nanoTime.getAsLong();
      return stuck.stream()
          .map(one -> Duration.ofNanos(Math.max(0, one.nextTry - now)))
          .min(Duration::compareTo)
          .filter(next -> next.compareTo(IDLE) < 0)
          .orElse(IDLE);
    } finally {
      lock.unlock();
    }
  }
}
