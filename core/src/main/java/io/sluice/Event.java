package io.sluice;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Something that happened, as this engine saw it. */
public sealed interface Event {
  Instant at();

  /** What can happen to a job. */
  enum Kind {
    ENQUEUED,
    STARTED,
    PROGRESS,
    COMPLETED,
    /** An attempt failed; {@code willRetry} says whether another one follows. */
    FAILED,
    DEAD,
    CANCELLED,
    /** A handler did not end although it was interrupted. */
    STUCK,
    /** The claim was lost; whatever the handler did is not recorded. */
    LOST
  }

  /** Something happened to a job. */
  record OfJob(
      Kind kind,
      Instant at,
      UUID job,
      Lane lane,
      int attempt,
      boolean willRetry,
      @Nullable String detail)
      implements Event {}

  /**
   * A capped queue became fuller or emptier, or, where {@code queue} is null, a capped tenant over all
   * its queues. What is no longer capped is told as NORMAL, without a size, if it was anything else. An
   * engine that starts takes everything for NORMAL until it has looked.
   */
  record LevelChanged(
      Instant at,
      String tenant,
      @Nullable String queue,
      Level before,
      Level level,
      long unfinished,
      @Nullable Long maxSize)
      implements Event {}

  /** There are more dead letters than the mark of {@link HealthRules}. */
  record DeadLettersOver(Instant at, long jobs, long mark) implements Event {}

  /** A breaker opened, closed, or lets some jobs try; {@code reason} says why, in words. */
  record BreakerChanged(Instant at, Scope scope, BreakerState from, BreakerState to, String reason)
      implements Event {}
}
