package io.sluice.server.job;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.Metadata;
import io.sluice.Names;
import io.sluice.QueueSettings;
import io.sluice.RetryPolicy;
import io.sluice.SluiceException;
import io.sluice.http.Callbacks;
import io.sluice.http.HttpCall;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.RawJson;
import io.sluice.store.QueueRecord;
import io.sluice.store.Queues;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Makes a job of what a producer sent, or says everything that is wrong with it. */
public final class JobReader {
  private static final Duration SHORTEST_TIMEOUT = Duration.ofMillis(1);
  private static final Duration LONGEST_TIMEOUT = Duration.ofHours(24);
  private static final int DEAREST = 1_000_000;
  private static final Pattern TRACE_PARENT = Pattern.compile(
      "(?!ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?");
  private static final int LONGEST_TRACE_PARENT = 128;

  private final Queues queues;
  private final HttpJobs http;

  public JobReader(Queues queues, HttpJobs http) {
    this.queues = queues;
    this.http = http;
  }

  /**
   * What a call says of its job outside of the body, a key and the trace it is part of, what part of the
   * call it is, and the URL groups of queues as far as this call has looked them up.
   */
  record Around(
      @Nullable String idempotencyKey,
      @Nullable String traceparent,
      AfterReader.Part part,
      Map<String, Optional<String>> groupsOfQueues) {
    Around(@Nullable String idempotencyKey, @Nullable String traceparent) {
      this(idempotencyKey, traceparent, AfterReader.Part.ALONE, new HashMap<>());
    }

    static Around nothing() {
      return new Around(null, null);
    }

    /** The part of a batch that came with this trace. */
    static Around of(AfterReader.Part part, @Nullable String traceparent) {
      return new Around(null, traceparent, part, new HashMap<>());
    }
  }

  /**
   * The job of a tenant.
   *
   * @throws Invalid naming the fields within the job
   * @throws SluiceException TOO_LARGE
   */
  public JobRequest read(String tenant, JobBody body) {
    return read(tenant, body, Around.nothing());
  }

  JobRequest read(String tenant, JobBody body, Around around) {
    Checks checks = new Checks();
    checkName(checks, "queue", body.queue());
    checkWhen(checks, body);
    checkRest(checks, body);
    AfterReader.check(checks, body, around.part);
    String key = key(checks, body.idempotencyKey(), around.idempotencyKey());
    Metadata metadata = metadata(checks, body.metadata(), around.traceparent());
    RetryBody policy = retry(checks, body);
    RetryPolicy retry =
        policy == null ? null : checks.take("retry", () -> policy.over(Defaults.RETRY));
    JobRequest request = body.isHttp() ? http(checks, tenant, body, around) : handled(checks, body);
    checks.done();
    request.tenant(tenant).queue(queue(body)).metadata(metadata);
    Optional.ofNullable(body.priority()).ifPresent(request::priority);
    Optional.ofNullable(body.delay()).ifPresent(request::delay);
    Optional.ofNullable(body.runAt()).ifPresent(request::runAt);
    Optional.ofNullable(body.expiresAt()).ifPresent(request::expiresAt);
    Optional.ofNullable(body.timeout()).ifPresent(request::timeout);
    Optional.ofNullable(retry).ifPresent(request::retry);
    Optional.ofNullable(key).ifPresent(request::idempotencyKey);
    Optional.ofNullable(body.limitKey()).ifPresent(request::limitKey);
    Optional.ofNullable(body.cost()).ifPresent(request::cost);
    AfterReader.addTo(request, body);
    return Boolean.TRUE.equals(body.requireHandler()) ? request.requireHandler() : request;
  }

  private static String queue(JobBody body) {
    return body.queue() == null ? Defaults.QUEUE : body.queue();
  }

  private static void checkName(Checks checks, String field, @Nullable String name) {
    if (name != null) {
      checks.take(field, () -> Names.check(field, name));
    }
  }

  private static void checkWhen(Checks checks, JobBody body) {
    checks
        .require(
            body.delay() == null || body.runAt() == null,
            "delay",
            "must not be given together with runAt: one of them is enough")
        .require(
            body.timeout() == null
                || (body.timeout().compareTo(SHORTEST_TIMEOUT) >= 0
                    && body.timeout().compareTo(LONGEST_TIMEOUT) <= 0),
            "timeout",
            "must be 1ms to 24h");
  }

  private static void checkRest(Checks checks, JobBody body) {
    checkKey(checks, "limitKey", body.limitKey());
    checks.require(
        body.cost() == null || (body.cost() >= 1 && body.cost() <= DEAREST),
        "cost",
        "must be 1 to " + DEAREST);
  }

  private static void checkKey(Checks checks, String field, @Nullable String key) {
    checks.require(
        key == null || (!key.isEmpty() && key.length() <= Defaults.MAX_TEXT),
        field,
        "must be 1 to " + Defaults.MAX_TEXT + " characters");
  }

  /** The policy of a job, whose attempts may also stand beside it, as they are read back. */
  private static @Nullable RetryBody retry(Checks checks, JobBody body) {
    Integer attempts = body.maxAttempts();
    RetryBody given = body.retry();
    if (attempts == null) {
      return given;
    }
    Integer inner = given == null ? null : given.maxAttempts();
    checks.require(
        inner == null || inner.equals(attempts),
        "maxAttempts",
        "must be the same as retry.maxAttempts, or only one of them be given");
    return (given == null ? RetryBody.NONE : given).withMaxAttempts(attempts);
  }

  private static @Nullable String key(
      Checks checks, @Nullable String field, @Nullable String header) {
    String key = field == null ? header : field;
    checkKey(checks, "idempotencyKey", key);
    checks.require(
        key == null || !key.startsWith(Callbacks.RESERVED),
        "idempotencyKey",
        "must not begin with " + Callbacks.RESERVED + ": such keys are the server's own");
    checks.require(
        field == null || header == null || field.equals(header),
        "idempotencyKey",
        "must be the same as the header Idempotency-Key, or only one of them be given");
    return key;
  }

  private static Metadata metadata(
      Checks checks, @Nullable MetadataBody body, @Nullable String header) {
    MetadataBody given = body == null ? MetadataBody.NONE : body;
    checks.require(
        given.traceparent() == null || isTrace(given.traceparent()),
        "metadata.traceparent",
        "must be a W3C traceparent such as 00-<32 hex digits>-<16 hex digits>-01");
    return given.tracedBy(header != null && isTrace(header) ? header : null).metadata();
  }

  private static boolean isTrace(String text) {
    return text.length() <= LONGEST_TRACE_PARENT && TRACE_PARENT.matcher(text).matches();
  }

  private static JobRequest handled(Checks checks, JobBody body) {
    String type = String.valueOf(body.type());
    checks.take("type", () -> Names.checkType(type));
    checks.require(
        !type.equals(HttpCall.TYPE), "type", "must not be http: give a url or a urlGroup instead");
    Map<String, @Nullable Object> others = new LinkedHashMap<>();
    others.put("url", body.url());
    others.put("urlGroup", body.urlGroup());
    others.put("path", body.path());
    others.put("method", body.method());
    others.put("headers", body.headers());
    others.put("body", body.body());
    others.put("bodyBase64", body.bodyBase64());
    others.put("callbackUrl", body.callbackUrl());
    others.put("failureCallbackUrl", body.failureCallbackUrl());
    others.forEach((field, value) -> checks.require(
        value == null, field, "must not be given with a type: it is for HTTP requests"));
    RawJson payload = body.payload() == null ? new RawJson("{}") : body.payload();
    checkSize("payload", payload.bytes());
    return Jobs.raw(type, payload.text());
  }

  private JobRequest http(Checks checks, String tenant, JobBody body, Around around) {
    String group = body.urlGroup();
    if (body.url() == null && group == null) {
      group = around
          .groupsOfQueues
          .computeIfAbsent(queue(body), queue -> groupOf(tenant, queue))
          .orElse(null);
    }
    checks
        .require(
            body.url() != null || group != null, "url", "must be given, or a urlGroup, or a type")
        .require(
            body.url() == null || group == null,
            "urlGroup",
            "must not be given together with a url: one of them is enough")
        .require(
            body.payload() == null,
            "payload",
            "must not be given without a type: use body instead");
    String payload = http.payload(checks, tenant, group, body);
    return Jobs.raw(HttpCall.TYPE, payload)
        .maxPayloadBytes(Defaults.MAX_ENVELOPE_BYTES)
        .urlGroup(group == null ? HttpCall.bucketOf(body.url()) : group);
  }

  private Optional<String> groupOf(String tenant, String queue) {
    return Names.isName(queue)
        ? queues.find(tenant, queue).map(QueueRecord::settings).map(QueueSettings::urlGroup)
        : Optional.empty();
  }

  /** Refuses what a job carries when it is larger than a job may carry. */
  static void checkSize(String field, int bytes) {
    if (bytes > Defaults.MAX_PAYLOAD_BYTES) {
      throw new SluiceException(
          ErrorCode.TOO_LARGE,
          field + " must be at most " + Defaults.MAX_PAYLOAD_BYTES + " bytes, it has " + bytes);
    }
  }
}
