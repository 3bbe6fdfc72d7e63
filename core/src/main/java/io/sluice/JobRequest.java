package io.sluice;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A job as its producer describes it. Not for use by several threads at once. */
public final class JobRequest {
  private final String type;
  private final Object payload;
  private final boolean raw;
  private String tenant = Defaults.TENANT;
  private String queue = Defaults.QUEUE;
  private Priority priority = Priority.NORMAL;
  private When when = When.now();
  private Metadata metadata = Metadata.NONE;
  private String urlGroup = "";
  private String limitKey = "";
  private int maxPayloadBytes = Defaults.MAX_PAYLOAD_BYTES;
  private int cost = 1;
  private boolean strict;
  private boolean handlerRequired;
  private final List<Predecessor> after = new ArrayList<>();
  private AfterPolicy afterPolicy = AfterPolicy.CANCEL;
  private @Nullable RetryPolicy retry;
  private @Nullable Duration timeout;
  private @Nullable String idempotencyKey;
  private @Nullable Instant expiresAt;

  JobRequest(String type, Object payload, boolean raw) {
    this.type = type;
    this.payload = payload;
    this.raw = raw;
  }

  public JobRequest tenant(String value) {
    tenant = value;
    return this;
  }

  public JobRequest queue(String value) {
    queue = value;
    return this;
  }

  public JobRequest priority(Priority value) {
    priority = value;
    return this;
  }

  /** Runs it no sooner than this long from now. */
  public JobRequest delay(Duration value) {
    when = When.in(value);
    return this;
  }

  /** Runs it no sooner than at this time. */
  public JobRequest runAt(Instant value) {
    when = When.at(value);
    return this;
  }

  public JobRequest timeout(Duration value) {
    timeout = value;
    return this;
  }

  public JobRequest retry(RetryPolicy value) {
    retry = value;
    return this;
  }

  /** The default policy with another number of attempts. */
  public JobRequest maxAttempts(int value) {
    retry = (retry == null ? Defaults.RETRY : retry).withMaxAttempts(value);
    return this;
  }

  /**
   * While a job with this key is retained in the queue, another enqueue with it answers that job's id
   * and adds none.
   */
  public JobRequest idempotencyKey(String value) {
    idempotencyKey = value;
    return this;
  }

  /** A known idempotency key is an error, DUPLICATE_MESSAGE. */
  public JobRequest strict() {
    strict = true;
    return this;
  }

  /** A type that no live worker handles is an error, HANDLER_NOT_FOUND. */
  public JobRequest requireHandler() {
    handlerRequired = true;
    return this;
  }

  /** Not started by this time, the job is cancelled. */
  public JobRequest expiresAt(Instant value) {
    expiresAt = value;
    return this;
  }

  public JobRequest metadata(Metadata value) {
    metadata = value;
    return this;
  }

  /** Runs it when these jobs, or batches, are over. Those that are over already count at once. */
  public JobRequest after(UUID... ids) {
    for (UUID id : ids) {
      after.add(Predecessor.of(Present.of(nextAfter(), id)));
    }
    return this;
  }

  /** As {@link #after(UUID...)}; the handler finds the result under this name. */
  public JobRequest after(String name, UUID id) {
    after.add(new Predecessor(
        Present.of(nextAfter() + ".id", id), Present.of(nextAfter() + ".name", name)));
    return this;
  }

  private String nextAfter() {
    return "after[" + after.size() + "]";
  }

  /** What becomes of it when one that it waits for does not complete; without a word it is cancelled. */
  public JobRequest afterPolicy(AfterPolicy value) {
    afterPolicy = Present.of("afterPolicy", value);
    return this;
  }

  /** What limits of its own the job falls under, for example one customer of a tenant. */
  public JobRequest limitKey(String value) {
    limitKey = value;
    return this;
  }

  /** What the job counts for where a rate is limited: 1 or more. */
  public JobRequest cost(int value) {
    cost = value;
    return this;
  }

  /** The group of URLs that the job is for, where it is an HTTP request to one. */
  public JobRequest urlGroup(String value) {
    urlGroup = value;
    return this;
  }

  /**
   * Lets the payload be larger than usual, at most {@link Defaults#MAX_ENVELOPE_BYTES}: for one that is
   * an envelope around something that was measured by itself and grows when it is written as JSON.
   */
  public JobRequest maxPayloadBytes(int value) {
    maxPayloadBytes = value;
    return this;
  }

  public Lane lane() {
    return new Lane(tenant, queue, type, urlGroup, limitKey);
  }

  public Object payload() {
    return payload;
  }

  public boolean isRaw() {
    return raw;
  }

  public Priority priority() {
    return priority;
  }

  public When when() {
    return when;
  }

  public Metadata metadata() {
    return metadata;
  }

  public List<Predecessor> after() {
    return List.copyOf(after);
  }

  public AfterPolicy afterPolicy() {
    return afterPolicy;
  }

  public int maxPayloadBytes() {
    return maxPayloadBytes;
  }

  public int cost() {
    return cost;
  }

  public boolean isStrict() {
    return strict;
  }

  public boolean isHandlerRequired() {
    return handlerRequired;
  }

  public Optional<RetryPolicy> retry() {
    return Optional.ofNullable(retry);
  }

  public Optional<Duration> timeout() {
    return Optional.ofNullable(timeout);
  }

  public Optional<String> idempotencyKey() {
    return Optional.ofNullable(idempotencyKey);
  }

  public Optional<Instant> expiresAt() {
    return Optional.ofNullable(expiresAt);
  }
}
