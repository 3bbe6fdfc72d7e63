package io.sluice.server.urlgroup;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.RateLimit;
import io.sluice.RateLimit.Per;
import io.sluice.server.breaker.BreakerBody;
import io.sluice.server.job.RetryBody;
import io.sluice.server.limit.RateBody;
import io.sluice.server.limit.Rates;
import io.sluice.server.limit.Terms;
import io.sluice.server.rest.Checks;
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

  /** So many in a second, a minute or an hour, one of the three, and so many at once. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record RateLimits(
      @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Double requestsPerSecond,
      @Nullable Double requestsPerMinute,
      @Nullable Double requestsPerHour,
      @Nullable Integer burst,
      @JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Integer concurrentRequests) {
    static final RateLimits NONE = new RateLimits(null, null, null, null, null);

    static @Nullable RateLimits of(Terms terms) {
      RateBody rate = RateBody.of(terms.rate());
      if (terms.equals(Terms.NONE)) {
        return null;
      }
      return rate == null
          ? new RateLimits(null, null, null, null, terms.concurrency())
          : new RateLimits(
              rate.perSecond(),
              rate.perMinute(),
              rate.perHour(),
              rate.burst(),
              terms.concurrency());
    }

    /**
     * The same, where a rate that is given takes the place of the one there was, its burst included, and
     * a burst goes with the rate that is taken away.
     */
    RateLimits anew(RateLimits given) {
      RateLimits rate = given.hasRate() ? given : this;
      return new RateLimits(
          rate.requestsPerSecond,
          rate.requestsPerMinute,
          rate.requestsPerHour,
          given.hasRate() || !hasRate() ? given.burst : burst,
          concurrentRequests);
    }

    private boolean hasRate() {
      return requestsPerSecond != null || requestsPerMinute != null || requestsPerHour != null;
    }

    /** What they come to; notes what is wrong with them. */
    Terms terms(Checks checks) {
      String field = "rateLimits.";
      RateLimit rate = Rates.read(
          checks,
          new Rates.Burst(field + "burst", burst),
          new Rates.Amount(field + "requestsPerSecond", Per.SECOND, requestsPerSecond),
          new Rates.Amount(field + "requestsPerMinute", Per.MINUTE, requestsPerMinute),
          new Rates.Amount(field + "requestsPerHour", Per.HOUR, requestsPerHour));
      checks.require(
          concurrentRequests == null || concurrentRequests >= 1,
          field + "concurrentRequests",
          "must be 1 or more");
      return new Terms(rate, concurrentRequests);
    }
  }

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

  /** What is said of limits, in a group that was checked. */
  Terms terms() {
    return rateLimits == null ? Terms.NONE : rateLimits.terms(new Checks());
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
