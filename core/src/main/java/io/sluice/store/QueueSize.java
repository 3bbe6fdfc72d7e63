package io.sluice.store;

import io.sluice.Marks;
import org.jspecify.annotations.Nullable;

/**
 * The exact number of unfinished jobs in a queue that is capped, the marks of its levels where it has its
 * own, and a count that grows by one with every job of it that ends.
 */
public record QueueSize(
    String tenant,
    String queue,
    long unfinished,
    long maxSize,
    @Nullable Marks levels,
    long ended) {}
