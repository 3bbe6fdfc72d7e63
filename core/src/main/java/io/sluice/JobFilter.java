package io.sluice;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs a list, a replay or a delete is about; what is null or empty does not narrow. {@code
 * from} (inclusive) and {@code to} (exclusive) bound the time of creation, {@code text} is searched,
 * every character taken as it is, in payload, reason and type, and the keys of {@code metadata} are
 * the names of {@link Metadata} or of its custom values.
 */
public record JobFilter(
    @Nullable String tenant,
    @Nullable String queue,
    @Nullable String type,
    Set<JobState> states,
    @Nullable String idempotencyKey,
    @Nullable String limitKey,
    Map<String, String> metadata,
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable String text) {

  public JobFilter {
    states = Set.copyOf(states);
    metadata = Map.copyOf(metadata);
  }

  public static JobFilter all() {
    return new JobFilter(null, null, null, Set.of(), null, null, Map.of(), null, null, null);
  }

  public JobFilter inTenant(String value) {
    return new JobFilter(
        value, queue, type, states, idempotencyKey, limitKey, metadata, from, to, text);
  }

  public JobFilter inQueue(String value) {
    return new JobFilter(
        tenant, value, type, states, idempotencyKey, limitKey, metadata, from, to, text);
  }

  public JobFilter ofType(String value) {
    return new JobFilter(
        tenant, queue, value, states, idempotencyKey, limitKey, metadata, from, to, text);
  }

  public JobFilter in(JobState... value) {
    return new JobFilter(
        tenant, queue, type, Set.of(value), idempotencyKey, limitKey, metadata, from, to, text);
  }

  public JobFilter withIdempotencyKey(String value) {
    return new JobFilter(tenant, queue, type, states, value, limitKey, metadata, from, to, text);
  }

  public JobFilter withLimitKey(String value) {
    return new JobFilter(
        tenant, queue, type, states, idempotencyKey, value, metadata, from, to, text);
  }

  public JobFilter withMetadata(Map<String, String> value) {
    return new JobFilter(
        tenant, queue, type, states, idempotencyKey, limitKey, value, from, to, text);
  }

  public JobFilter createdBetween(@Nullable Instant start, @Nullable Instant end) {
    return new JobFilter(
        tenant, queue, type, states, idempotencyKey, limitKey, metadata, start, end, text);
  }

  public JobFilter containing(String value) {
    return new JobFilter(
        tenant, queue, type, states, idempotencyKey, limitKey, metadata, from, to, value);
  }
}
