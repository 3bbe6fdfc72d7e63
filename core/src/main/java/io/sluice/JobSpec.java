package io.sluice;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for: the part of a job that never changes. The payload is JSON text, kept to the
 * letter.
 */
public record JobSpec(
    String payload,
    Priority priority,
    @Nullable RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable String idempotencyKey,
    @Nullable Instant expiresAt,
    Metadata metadata) {}
