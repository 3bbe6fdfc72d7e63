package io.sluice.store;

import io.sluice.JobSpec;
import io.sluice.Lane;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job in the hands of a worker. {@code claimedAt} is the moment of the claim by the store's clock, from which
 * the worker counts on: its own clock decides nothing. {@code attempt} is the number of the attempt it may now
 * begin, {@code leaseUntil} the end of the claim's own lease, if it has one, and {@code startIn} the time,
 * from the claim on, before which a limited rate does not let it start.
 */
public record ClaimedJob(
    ClaimRef ref,
    Lane lane,
    JobSpec spec,
    Instant createdAt,
    Instant claimedAt,
    int attempt,
    Strikes strikes,
    @Nullable Instant leaseUntil,
    Duration startIn) {

  /** A job that may start at once. */
  public ClaimedJob(
      ClaimRef ref,
      Lane lane,
      JobSpec spec,
      Instant createdAt,
      Instant claimedAt,
      int attempt,
      Strikes strikes,
      @Nullable Instant leaseUntil) {
    this(ref, lane, spec, createdAt, claimedAt, attempt, strikes, leaseUntil, Duration.ZERO);
  }

  public ClaimedJob withStartIn(Duration time) {
    return new ClaimedJob(
        ref, lane, spec, createdAt, claimedAt, attempt, strikes, leaseUntil, time);
  }
}
