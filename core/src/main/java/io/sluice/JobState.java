package io.sluice;

import java.util.EnumSet;
import java.util.Set;

/**
 * Where a job stands. The moves listed here are the only ones there are: every store obeys this
 * table, {@code docs/states.md} draws it, and the contract suite walks all pairs of it.
 */
public enum JobState {
  /** Waits for its time or for other jobs and has not failed: a delayed or snoozed one, or a successor. */
  SCHEDULED,
  /** Due, waits for a worker. */
  PENDING,
  /** Held by a live claim. */
  RUNNING,
  /** Failed and waits for the time of its next attempt. */
  RETRYING,
  /** Done. */
  COMPLETED,
  /** Failed for good in a queue whose dead-lettering is off. */
  FAILED,
  /** Failed for good and set aside for a person: the dead letter queue. */
  DEAD,
  /** Ended before it was done, by a person, its handler or its own expiry, or because of another job. */
  CANCELLED;

  /** The states that this state may change into. */
  public Set<JobState> next() {
    return switch (this) {
      case SCHEDULED, RETRYING -> EnumSet.of(PENDING, CANCELLED);
      case PENDING -> EnumSet.of(RUNNING, CANCELLED);
      case RUNNING -> EnumSet.of(PENDING, SCHEDULED, RETRYING, COMPLETED, FAILED, DEAD, CANCELLED);
      case FAILED, DEAD -> EnumSet.of(PENDING);
      case CANCELLED -> EnumSet.of(PENDING, SCHEDULED);
      case COMPLETED -> EnumSet.noneOf(JobState.class);
    };
  }

  public boolean canBecome(JobState other) {
    return next().contains(other);
  }

  /** True for the states that a job leaves only when a person replays it. */
  public boolean isFinal() {
    return switch (this) {
      case COMPLETED, FAILED, DEAD, CANCELLED -> true;
      case SCHEDULED, PENDING, RUNNING, RETRYING -> false;
    };
  }

  /** True for the states of a job that a person may run again. */
  public boolean isReplayable() {
    return isFinal() && canBecome(PENDING);
  }
}
