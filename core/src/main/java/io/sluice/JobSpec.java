package io.sluice;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What was asked for: the part of a job that never changes. The payload is JSON text, kept to the
 * letter; {@code cost} is what the job counts for where a rate is limited, {@code ties} what binds it to others.
 */
public record JobSpec(
    String payload,
    Priority priority,
    @Nullable RetryPolicy retry,
    @Nullable Duration timeout,
    @Nullable String idempotencyKey,
    @Nullable Instant expiresAt,
    Metadata metadata,
    int cost,
    Ties ties) {
  public JobSpec {
    if (cost < 1) {
      throw SluiceException.invalid("cost", "must be 1 or more, was " + cost);
    }
  }

  /** A job that is bound to no other. */
  public JobSpec(
      String payload,
      Priority priority,
      @Nullable RetryPolicy retry,
      @Nullable Duration timeout,
      @Nullable String idempotencyKey,
      @Nullable Instant expiresAt,
      Metadata metadata,
      int cost) {
    this(payload, priority, retry, timeout, idempotencyKey, expiresAt, metadata, cost, Ties.NONE);
  }

  /** A job that counts for one. */
  public JobSpec(
      String payload,
      Priority priority,
      @Nullable RetryPolicy retry,
      @Nullable Duration timeout,
      @Nullable String idempotencyKey,
      @Nullable Instant expiresAt,
      Metadata metadata) {
    this(payload, priority, retry, timeout, idempotencyKey, expiresAt, metadata, 1);
  }

  public JobSpec withPayload(String value) {
    return new JobSpec(
        value, priority, retry, timeout, idempotencyKey, expiresAt, metadata, cost, ties);
  }

  public JobSpec withTies(Ties value) {
    return new JobSpec(
        payload, priority, retry, timeout, idempotencyKey, expiresAt, metadata, cost, value);
  }
}
