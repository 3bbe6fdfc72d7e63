package io.sluice.server.job;

import io.sluice.AfterPolicy;
import io.sluice.CallbackOn;
import io.sluice.Priority;
import io.sluice.server.rest.RawJson;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A job as its producer sends it: a request to a URL, one in a URL group, or work for a handler. In a new
 * batch it may have a name, and the callback of one says when it runs.
 */
public record JobBody(
    @Nullable String queue,
    @Nullable String url,
    @Nullable String method,
    @Nullable Map<String, String> headers,
    @Nullable RawJson body,
    @Nullable String bodyBase64,
    @Nullable String urlGroup,
    @Nullable String path,
    @Nullable String callbackUrl,
    @Nullable String failureCallbackUrl,
    @Nullable String type,
    @Nullable RawJson payload,
    @Nullable Priority priority,
    @Nullable Duration delay,
    @Nullable Instant runAt,
    @Nullable Instant expiresAt,
    @Nullable Duration timeout,
    @Nullable RetryBody retry,
    @Nullable Integer maxAttempts,
    @Nullable String idempotencyKey,
    @Nullable MetadataBody metadata,
    @Nullable String limitKey,
    @Nullable Integer cost,
    @Nullable List<@Nullable AfterBody> after,
    @Nullable AfterPolicy afterPolicy,
    @Nullable String name,
    @Nullable CallbackOn on,
    @Nullable Boolean requireHandler) {

  /** True when the job is an HTTP request, whatever else is wrong with it. */
  boolean isHttp() {
    return type == null;
  }
}
