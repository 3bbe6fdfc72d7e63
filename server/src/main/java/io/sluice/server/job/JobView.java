package io.sluice.server.job;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonView;
import io.sluice.AfterPolicy;
import io.sluice.ErrorClass;
import io.sluice.JobState;
import io.sluice.Predecessor;
import io.sluice.Priority;
import io.sluice.Progress;
import io.sluice.Result;
import io.sluice.server.rest.RawJson;
import io.sluice.server.rest.Summary.Whole;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A job as it is read back. An HTTP job has what it requests, any other its payload; {@code timeout},
 * {@code retry} and {@code maxAttempts} are those in force, the job's own or its queue's. What is {@link Whole} is
 * left out of lists.
 */
public record JobView(
    UUID id,
    String tenant,
    String queue,
    String type,
    JobState state,
    Priority priority,
    int attempt,
    int maxAttempts,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant runAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt,
    @Nullable Instant leaseUntil,
    @Nullable String worker,
    Duration timeout,
    RetryBody retry,
    @Nullable String url,
    @Nullable String urlGroup,
    @Nullable String path,
    @Nullable String method,
    @Nullable Map<String, String> headers,
    @JsonView(Whole.class) @Nullable RawJson body,
    @JsonView(Whole.class) @Nullable String bodyBase64,
    @Nullable String callbackUrl,
    @Nullable String failureCallbackUrl,
    @JsonView(Whole.class) @Nullable RawJson payload,
    @JsonView(Whole.class) @Nullable RawJson result,
    List<Failure> errors,
    @Nullable String reason,
    @Nullable String deadReason,
    @Nullable Instant deadAt,
    Origin origin,
    @Nullable Progress progress,
    MetadataBody metadata,
    @Nullable String idempotencyKey,
    @Nullable String limitKey,
    int cost,
    @Nullable Instant expiresAt,
    @Nullable List<Predecessor> after,
    @Nullable AfterPolicy afterPolicy,
    @Nullable UUID batch,
    @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Map<String, Left> results) {

  /** What a job or batch left that this one waited for; told only to whoever is to do the job. */
  record Left(UUID id, @Nullable JobState state, @Nullable RawJson result) {
    static Left of(Result result) {
      return new Left(result.id(), result.state(), RawJson.of(result.json()));
    }
  }

  /** Where a job comes from: the queue it was put in, by whom, and how often it was run again since. */
  record Origin(String queue, @Nullable String source, int replays) {}

  /** One failed attempt. */
  record Failure(
      Instant at,
      int attempt,
      @JsonProperty("class") ErrorClass errorClass,
      String code,
      String message,
      @Nullable Integer status,
      @Nullable String responseBody,
      @JsonView(Whole.class) @Nullable String stack) {}
}
