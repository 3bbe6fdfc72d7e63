package io.sluice;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a remote worker's sign of life: the new end of its lease, or that the job was cancelled
 * and is no longer wanted; there is no lease then.
 */
public record RemoteHeartbeat(
    boolean cancelRequested, @Nullable Instant leaseUntil) {}
