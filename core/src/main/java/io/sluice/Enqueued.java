package io.sluice;

import java.util.UUID;

/** The answer to an enqueue: the job's id, and whether its idempotency key was known already. */
public record Enqueued(UUID id, JobState state, boolean duplicate) {}
