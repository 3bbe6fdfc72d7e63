package io.sluice.engine;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** What takes one slot: a job, or the jobs of one batch. */
final class Unit {
  final List<Attempt> attempts;
  final long claimedAt;
  private final boolean alone;
  private final AtomicBoolean released = new AtomicBoolean();
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.RUNNING);

  private enum Stage {
    RUNNING,
    ENDED,
    ABANDONED
  }

  Unit(List<Attempt> attempts, long claimedAt) {
    this.attempts = List.copyOf(attempts);
    this.claimedAt = claimedAt;
    this.alone = anyAlone(attempts);
  }

  private static boolean anyAlone(List<Attempt> attempts) {
    for (Attempt attempt : attempts) {
      if (attempt.claimed.strikes().mustRunAlone()) {
        return true;
      }
    }
    return false;
  }

  Attempt first() {
    return attempts.getFirst();
  }

  boolean isBatch() {
    return attempts.size() > 1;
  }

  boolean mustRunAlone() {
    return alone;
  }

  /** Notes that the handler would not end and loses its slot; false when it has ended after all. */
  boolean abandon() {
    return stage.compareAndSet(Stage.RUNNING, Stage.ABANDONED);
  }

  boolean isAbandoned() {
    return stage.get() == Stage.ABANDONED;
  }

  /** Notes that the handler has ended; false when it had been abandoned. */
  boolean end() {
    return stage.compareAndSet(Stage.RUNNING, Stage.ENDED);
  }

  /** True for the one caller that gives the slot back. */
  boolean release() {
    return released.compareAndSet(false, true);
  }
}
