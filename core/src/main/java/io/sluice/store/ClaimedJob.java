package io.sluice.store;

import io.sluice.JobSpec;
import io.sluice.Lane;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A job in the hands of a worker. {@code attempt} is the number of the attempt it may now begin, and
 * {@code leaseUntil} the end of the claim's own lease, if it has one.
 */
public record ClaimedJob(
    ClaimRef ref,
    Lane lane,
    JobSpec spec,
    Instant createdAt,
    int attempt,
    Strikes strikes,
    @Nullable Instant leaseUntil) {}
