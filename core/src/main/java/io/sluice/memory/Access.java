package io.sluice.memory;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The one way to the shelf: a single caller at a time, each with one moment as its now, and listeners
 * are told after the lock is free. There is a shelf only while the store is open.
 */
final class Access {
  final InstantSource clock;
  final MemoryWakeups wakeups = new MemoryWakeups();
  private final ReentrantLock lock = new ReentrantLock();
  private final @Nullable Jumps jumps;
  private @Nullable Shelf shelf;
  private boolean closed;

  Access(InstantSource clock) {
    this(clock, null);
  }

  /**
   * @param jumps where given, leases move along with the clock when that is set forward
   */
  Access(InstantSource clock, @Nullable Jumps jumps) {
    this.clock = clock;
    this.jumps = jumps;
  }

  <T> T with(BiFunction<Shelf, Instant, T> work) {
    Hints hints;
    T answer;
    lock.lock();
    try {
      Shelf open = open();
      Instant now = clock.instant();
      if (jumps != null) {
        Duration jump = jumps.since(now);
        if (jump.isPositive()) {
          open.moveLeases(jump);
        }
      }
      answer = work.apply(open, now);
      hints = open.takeHints();
    } finally {
      lock.unlock();
    }
    wakeups.tell(hints);
    return answer;
  }

  private Shelf open() {
    if (shelf == null) {
      throw new SluiceException(
          ErrorCode.PERSISTENCE_FAILURE, "the store is " + (closed ? "closed" : "not open yet"));
    }
    return shelf;
  }

  /** Opens with what is read, unless it is open; trouble with the reading leaves it shut. */
  void open(Supplier<Shelf> reading) {
    lock.lock();
    try {
      if (closed) {
        throw new SluiceException(ErrorCode.PERSISTENCE_FAILURE, "the store is closed");
      }
      if (shelf == null) {
        shelf = reading.get();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Shuts for good, after a writing that must succeed and that nothing can follow. */
  void close(Consumer<Shelf> writing) {
    lock.lock();
    try {
      if (shelf != null) {
        writing.accept(shelf);
      }
      shelf = null;
      closed = true;
    } finally {
      lock.unlock();
    }
    wakeups.clear();
  }
}
