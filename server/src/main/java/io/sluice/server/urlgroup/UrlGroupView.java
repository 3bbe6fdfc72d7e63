package io.sluice.server.urlgroup;

import io.sluice.server.breaker.BreakerBody;
import io.sluice.server.job.RetryBody;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A URL group as it is read back; its secrets read {@code ***}. */
record UrlGroupView(
    UUID id,
    String name,
    @Nullable String description,
    @Nullable String baseUrl,
    Map<String, String> defaultHeaders,
    AuthBody auth,
    @Nullable RetryBody retry,
    UrlGroupBody.@Nullable RateLimits rateLimits,
    List<String> ipAllowlist,
    boolean followRedirects,
    @Nullable BreakerBody circuitBreaker,
    UrlGroupBody.@Nullable HealthCheck healthCheck,
    UrlGroupBody.@Nullable SigningBody signing,
    boolean enabled,
    @Nullable Duration disableAfter,
    @Nullable Instant disabledAt,
    @Nullable String disabledReason,
    Standing standing,
    Instant createdAt,
    Instant updatedAt) {

  static UrlGroupView of(UrlGroup group, Standing standing, Instant now) {
    UrlGroupBody body = group.shown(now);
    return new UrlGroupView(
        group.id(),
        group.name(),
        body.description(),
        body.baseUrl(),
        Objects.requireNonNullElse(body.defaultHeaders(), Map.of()),
        Objects.requireNonNullElse(body.auth(), new AuthBody.None()),
        body.retry(),
        body.rateLimits(),
        Objects.requireNonNullElse(body.ipAllowlist(), List.of()),
        Boolean.TRUE.equals(body.followRedirects()),
        body.circuitBreaker(),
        body.healthCheck(),
        body.signing(),
        group.power().enabled(),
        body.disableAfter(),
        group.power().disabledAt(),
        group.power().disabledReason(),
        standing,
        group.createdAt(),
        group.updatedAt());
  }
}
