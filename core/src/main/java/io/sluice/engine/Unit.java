package io.sluice.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/** What takes one slot: a job, or the jobs of one batch. */
final class Unit {
  final List<Attempt> attempts;
  final long claimedAt;
  /** When it may start, by the ticker: at once as a rule. */
  final long startAt;

  private final long patience;
  private final long bytes;
  private final AtomicBoolean released = new AtomicBoolean();
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.RUNNING);
  private volatile boolean alone;

  /** How long after its time a unit is started at the latest, where a limited rate fixed that. */
  static final long LATE = Duration.ofMillis(25).toNanos();

  private enum Stage {
    RUNNING,
    ENDED,
    ABANDONED
  }

  /** Jobs claimed at a moment; with patience, in nanoseconds from then, when they are to be alone. */
  Unit(List<Attempt> attempts, long claimedAt, long patience) {
    this.attempts = List.copyOf(attempts);
    this.claimedAt = claimedAt;
    this.patience = patience;
    long startIn = 0;
    for (Attempt attempt : attempts) {
      startIn = Math.max(startIn, attempt.claimed.startIn().toNanos());
    }
    this.startAt = claimedAt + startIn;
    this.bytes = attempts.stream()
        .mapToLong(attempt -> attempt.claimed.spec().payload().length())
        .sum();
  }

  boolean isDue(long now) {
    return now - startAt >= 0;
  }

  /**
   * True when its start was fixed by a limited rate and is long past: so late it would be one too many in
   * its time.
   */
  boolean hasMissedItsStart(long now) {
    return startAt != claimedAt && now - startAt > LATE;
  }

  /** The size of its payloads. */
  long bytes() {
    return bytes;
  }

  Attempt first() {
    return attempts.getFirst();
  }

  boolean isBatch() {
    return attempts.size() > 1;
  }

  /** True while this unit holds up the others, to be alone. */
  boolean wantsSolitude(long now) {
    return patience > 0 && now - claimedAt < patience;
  }

  /** True when this unit wanted to be alone, and has wanted it long enough. */
  boolean isImpatient(long now) {
    return patience > 0 && now - claimedAt >= patience;
  }

  /** True when this unit should have found a slot before this moment. */
  boolean isStale(long moment) {
    return startAt + patience - moment < 0;
  }

  /** True from its start as the only unit that runs until another one starts. */
  boolean isAlone() {
    return alone;
  }

  void alone(boolean now) {
    alone = now;
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
