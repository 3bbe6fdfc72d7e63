package io.sluice.store;

import io.sluice.JobState;

/** How many jobs of a queue and type are in a state. */
public record Count(String tenant, String queue, String type, JobState state, long jobs) {}
