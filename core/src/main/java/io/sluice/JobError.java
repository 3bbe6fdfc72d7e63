package io.sluice;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** One failed attempt, as it is kept with the job. */
public record JobError(
    Instant at,
    int attempt,
    ErrorClass errorClass,
    String code,
    String message,
    @Nullable String stack,
    @Nullable Integer status,
    @Nullable String responseBody) {}
