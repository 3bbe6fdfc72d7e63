package io.sluice;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Why a remote worker's attempt failed. Without {@code retry} the job is dead; with it the policy
 * decides whether there is another attempt, and {@code retryAt}, if given, when.
 */
public record RemoteFailure(
    ErrorClass errorClass,
    String code,
    String message,
    boolean retry,
    @Nullable Instant retryAt) {}
