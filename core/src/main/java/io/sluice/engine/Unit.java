package io.sluice.engine;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** What takes one slot: a job, or the jobs of one batch. */
final class Unit {
  final List<Attempt> attempts;
  final long claimedAt;
  private final AtomicBoolean released = new AtomicBoolean();
  private volatile boolean abandoned;

  Unit(List<Attempt> attempts, long claimedAt) {
    this.attempts = List.copyOf(attempts);
    this.claimedAt = claimedAt;
  }

  Attempt first() {
    return attempts.getFirst();
  }

  boolean isBatch() {
    return attempts.size() > 1;
  }

  boolean mustRunAlone() {
    return attempts.stream().anyMatch(a -> a.claimed.strikes().mustRunAlone());
  }

  /** Notes that the handler would not end and lost its slot. */
  void abandon() {
    abandoned = true;
  }

  boolean isAbandoned() {
    return abandoned;
  }

  /** True for the one caller that gives the slot back. */
  boolean release() {
    return released.compareAndSet(false, true);
  }
}
