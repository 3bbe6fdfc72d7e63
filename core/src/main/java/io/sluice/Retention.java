package io.sluice;

import java.time.Duration;

/** How long finished jobs are kept: those that completed, and all others. */
public record Retention(Duration completed, Duration dead) {
  public static final Retention DEFAULT =
      new Retention(Defaults.KEEP_COMPLETED, Defaults.KEEP_DEAD);

  public Retention {
    if (completed.isNegative() || dead.isNegative()) {
      throw SluiceException.invalid("retention", "must not be negative");
    }
  }

  /** The time that a job which ended in this state is kept. */
  public Duration of(JobState state) {
    return state == JobState.COMPLETED ? completed : dead;
  }
}
