package io.sluice.store;

import java.time.Duration;
import java.time.Instant;

/** A job that is held under a lease of its own, and for how long it has been so far. */
public record HeldJob(ClaimedJob job, Duration heldFor) {
  /** The moment at which the store answered, by its clock. */
  public Instant now() {
    return job.claimedAt().plus(heldFor);
  }
}
