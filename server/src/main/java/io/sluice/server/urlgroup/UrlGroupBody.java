package io.sluice.server.urlgroup;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.server.breaker.BreakerBody;
import io.sluice.server.job.RetryBody;
import io.sluice.server.secret.Secret;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A URL group as people write and read it, and as its settings are kept: secrets in it read
 * {@code ***}. What is null is not set.
 */
record UrlGroupBody(
    @Nullable String name,
    @Nullable String description,
    @Nullable String baseUrl,
    @Nullable Map<String, String> defaultHeaders,
    @Nullable AuthBody auth,
    @Nullable RetryBody retry,
    @Nullable RateLimits rateLimits,
    @Nullable List<String> ipAllowlist,
    @Nullable Boolean followRedirects,
    @Nullable BreakerBody circuitBreaker,
    @Nullable HealthCheck healthCheck,
    @Nullable SigningBody signing,
    @Nullable Boolean enabled,
    @Nullable Duration disableAfter) {

  static final UrlGroupBody EMPTY = new UrlGroupBody(
      null, null, null, null, null, null, null, null, null, null, null, null, null, null);

  record RateLimits(
      @Nullable Double requestsPerSecond, @Nullable Integer concurrentRequests) {}

  record HealthCheck(
      @Nullable String endpoint,
      @Nullable Duration interval,
      @Nullable Duration timeout,
      @Nullable List<Integer> expectStatus,
      @Nullable String expectBody,
      @Nullable Duration maxLatency,
      @Nullable Integer failureThreshold,
      @Nullable Integer successThreshold,
      @Nullable Boolean holdJobs) {}

  @JsonInclude(JsonInclude.Include.NON_NULL)
  record SigningBody(@Nullable String scheme, @Nullable List<Secret> secrets) {}

  UrlGroupBody withHeaders(@Nullable Map<String, String> value) {
    return copy(value, auth, rateLimits, signing, enabled);
  }

  UrlGroupBody withAuth(@Nullable AuthBody value) {
    return copy(defaultHeaders, value, rateLimits, signing, enabled);
  }

  UrlGroupBody withRateLimits(@Nullable RateLimits value) {
    return copy(defaultHeaders, auth, value, signing, enabled);
  }

  UrlGroupBody withSigning(@Nullable SigningBody value) {
    return copy(defaultHeaders, auth, rateLimits, value, enabled);
  }

  UrlGroupBody withEnabled(@Nullable Boolean value) {
    return copy(defaultHeaders, auth, rateLimits, signing, value);
  }

  boolean switchedOn() {
    return !Boolean.FALSE.equals(enabled);
  }

  private UrlGroupBody copy(
      @Nullable Map<String, String> newHeaders,
      @Nullable AuthBody newAuth,
      @Nullable RateLimits newLimits,
      @Nullable SigningBody newSigning,
      @Nullable Boolean newEnabled) {
    return new UrlGroupBody(
        name,
        description,
        baseUrl,
        newHeaders,
        newAuth,
        retry,
        newLimits,
        ipAllowlist,
        followRedirects,
        circuitBreaker,
        healthCheck,
        newSigning,
        newEnabled,
        disableAfter);
  }
}
