package io.sluice;

import org.jspecify.annotations.Nullable;

/**
 * How full a capped queue is, or, where {@code queue} is null, a capped tenant over all its queues.
 * {@code endsPerSecond} is how many of its jobs ended in a second lately, over all instances; 0 where
 * none did or nobody looked long enough to know.
 */
public record Fullness(
    String tenant,
    @Nullable String queue,
    Level level,
    long unfinished,
    long maxSize,
    double endsPerSecond) {}
