package io.sluice.testkit;

import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A clock that stands still until a test moves it. It shows whole milliseconds, so that what a store
 * rounds is the same before and after.
 */
public final class ManualClock implements InstantSource {
  public static final Instant START = Instant.parse("2030-01-15T12:00:00Z");

  private final AtomicReference<Instant> now;

  public ManualClock() {
    this(START);
  }

  public ManualClock(Instant start) {
    now = new AtomicReference<>(start);
  }

  @Override
  public Instant instant() {
    return now.get();
  }

  /**
   * A store in memory that goes by this clock. Moving the clock makes jobs due, late or expired, and takes
   * no worker's lease: a job for tomorrow runs as soon as it is tomorrow.
   */
  public MemoryStore store() {
    return MemoryStore.builder().clock(this).keepLeasesAcrossJumps().build();
  }

  /** Moves the clock and returns what it then shows. A negative duration turns it back. */
  public Instant advance(Duration step) {
    return now.updateAndGet(old -> old.plus(step));
  }

  /** Sets the clock to a moment, before or after what it shows. */
  public void set(Instant moment) {
    now.set(moment);
  }
}
