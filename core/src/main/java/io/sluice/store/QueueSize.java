package io.sluice.store;

/** The exact number of unfinished jobs in a queue that is capped. */
public record QueueSize(String tenant, String queue, long unfinished, long maxSize) {}
