package io.sluice.store;

import java.time.Duration;
import java.time.Instant;

/** A job that is held under a lease of its own, by which worker, and for how long it has been so far. */
public record HeldJob(ClaimedJob job, long worker, Duration heldFor) {
  /** The moment at which the store answered, by its clock. */
  public Instant now() {
    return job.claimedAt().plus(heldFor);
  }
}
