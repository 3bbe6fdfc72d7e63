package io.sluice.store;

import io.sluice.JobSpec;
import io.sluice.Lane;
import io.sluice.When;
import java.util.UUID;

/**
 * A checked and encoded job on its way into a store. With {@code strict}, a known idempotency key is
 * refused instead of answered with the job that has it.
 */
public record NewJob(UUID id, Lane lane, JobSpec spec, When when, boolean strict) {}
