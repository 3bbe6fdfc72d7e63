package io.sluice.store;

import io.sluice.JobSpec;
import io.sluice.Lane;
import java.time.Instant;

/** A job in the hands of a worker. {@code attempt} is the number of the attempt it may now begin. */
public record ClaimedJob(
    ClaimRef ref, Lane lane, JobSpec spec, Instant createdAt, int attempt, Strikes strikes) {}
