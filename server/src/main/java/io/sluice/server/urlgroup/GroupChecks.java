package io.sluice.server.urlgroup;

import io.sluice.Defaults;
import io.sluice.http.AddressGuard;
import io.sluice.http.Group;
import io.sluice.http.SecretNames;
import io.sluice.http.TargetUrl;
import io.sluice.http.UrlQuery;
import io.sluice.server.breaker.BreakerBody;
import io.sluice.server.job.RetryBody;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import io.sluice.server.urlgroup.UrlGroupBody.HealthCheck;
import io.sluice.server.urlgroup.UrlGroupBody.RateLimits;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says what is wrong with a group that somebody asks for, all of it at once. */
final class GroupChecks {
  private static final int LONGEST_TEXT = 1_000;
  private static final int MOST_RANGES = 100;
  private static final int MOST_STATUSES = 50;
  private static final Duration LONGEST = Duration.ofDays(1);
  private static final Duration SHORTEST_WAIT = Duration.ofMillis(10);
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(60);
  private static final Duration LONGEST_FAILURE = Duration.ofDays(365);

  private final AddressGuard guard;

  GroupChecks(AddressGuard guard) {
    this.guard = guard;
  }

  /** The group to keep; throws {@link Invalid} with everything that is wrong. */
  Draft checked(UrlGroupBody asked, Draft current) {
    Checks checks = new Checks().name("name", asked.name());
    checks.require(asked.baseUrl() != null, "baseUrl", "is missing");
    text(checks, "description", asked.description());
    AuthBody auth = asked.auth();
    if (auth != null) {
      checks.take("auth", () -> whole(auth));
    }
    RetryBody retry = asked.retry();
    if (retry != null) {
      checks.take("retry", () -> retry.over(Defaults.RETRY));
    }
    RateLimits limits = asked.rateLimits();
    if (limits != null) {
      limits.terms(checks);
    }
    BreakerBody breaker = asked.circuitBreaker();
    if (breaker != null) {
      breaker.check(checks, "circuitBreaker");
    }
    health(checks, asked.healthCheck());
    Duration disableAfter = asked.disableAfter();
    checks.require(
        disableAfter == null || isWithin(disableAfter, Duration.ofMinutes(1), LONGEST_FAILURE),
        "disableAfter",
        "must be 1m to 365d");
    checks.require(
        asked.ipAllowlist() == null || asked.ipAllowlist().size() <= MOST_RANGES,
        "ipAllowlist",
        "must be at most " + MOST_RANGES);
    values(checks, asked);
    checks.done();
    new KeptSecrets(guard).check(checks, asked, current.body());
    checks.done();
    Draft draft = checks.take("", () -> Draft.of(asked, current));
    checks.done();
    if (draft != null) {
      checks.take("", () -> sendable(draft.group(), asked.healthCheck()));
    }
    checks.done();
    return draft == null ? current : draft;
  }

  private static AuthBody whole(AuthBody auth) {
    auth.check();
    return auth;
  }

  private Group sendable(Group group, @Nullable HealthCheck health) {
    group.check(guard);
    String endpoint = health == null ? null : health.endpoint();
    if (endpoint != null && endpoint.startsWith("/")) {
      group.checkPath("healthCheck.endpoint", endpoint, guard);
    }
    return group;
  }

  private static void text(Checks checks, String field, @Nullable String text) {
    checks.require(
        text == null || text.length() <= LONGEST_TEXT,
        field,
        "must be at most " + LONGEST_TEXT + " characters");
  }

  /** What JSON lets through as an element although there is none. */
  private static void values(Checks checks, UrlGroupBody asked) {
    if (asked.defaultHeaders() != null) {
      asked
          .defaultHeaders()
          .forEach((name, value) ->
              checks.require(value != null, "defaultHeaders." + name, "must be a text"));
    }
    noHoles(checks, "ipAllowlist", asked.ipAllowlist());
    noHoles(
        checks,
        "signing.secrets",
        asked.signing() == null ? null : asked.signing().secrets());
  }

  private static void noHoles(Checks checks, String field, @Nullable List<?> list) {
    for (int i = 0; list != null && i < list.size(); i++) {
      checks.require(list.get(i) != null, field + "[" + i + "]", "must be a text");
    }
  }

  private void health(Checks checks, @Nullable HealthCheck health) {
    if (health == null) {
      return;
    }
    String endpoint = health.endpoint();
    if (endpoint == null) {
      checks.require(false, "healthCheck.endpoint", "is missing");
    } else {
      if (!endpoint.startsWith("/")) {
        checks.take("", () -> TargetUrl.check("healthCheck.endpoint", endpoint, guard));
      }
      checks.require(
          !hasCredential(endpoint),
          "healthCheck.endpoint",
          "must not carry a credential in its query: it is kept and shown as it is");
    }
    healthTimes(checks, health);
    text(checks, "healthCheck.expectBody", health.expectBody());
    checks.require(
        health.expectBody() == null || !health.expectBody().isEmpty(),
        "healthCheck.expectBody",
        "must not be empty");
    threshold(checks, "healthCheck.failureThreshold", health.failureThreshold());
    threshold(checks, "healthCheck.successThreshold", health.successThreshold());
    List<Integer> statuses = health.expectStatus();
    checks.require(
        statuses == null || (!statuses.isEmpty() && statuses.size() <= MOST_STATUSES),
        "healthCheck.expectStatus",
        "must be 1 to " + MOST_STATUSES + " statuses, or left out for any 2xx");
    for (int i = 0; statuses != null && i < statuses.size(); i++) {
      Integer status = statuses.get(i);
      checks.require(
          status != null && status >= 100 && status <= 599,
          "healthCheck.expectStatus[" + i + "]",
          "must be 100 to 599");
    }
  }

  private static void healthTimes(Checks checks, HealthCheck health) {
    Duration interval = HealthRules.interval(health);
    checks.require(
        isWithin(interval, Duration.ofSeconds(1), LONGEST),
        "healthCheck.interval",
        "must be 1s to 24h");
    Duration most = HealthRules.timeout(health);
    boolean timely = health.timeout() == null || isWithin(most, SHORTEST_WAIT, LONGEST_WAIT);
    checks.require(timely, "healthCheck.timeout", "must be 10ms to 60s");
    checks.require(
        !timely || most.compareTo(interval) <= 0,
        "healthCheck.interval",
        "must be at least the timeout of the check, " + most.toMillis() + "ms");
    Duration latency = health.maxLatency();
    checks.require(
        !timely || latency == null || isWithin(latency, Duration.ofMillis(1), most),
        "healthCheck.maxLatency",
        "must be 1ms to the timeout of the check, " + most.toMillis() + "ms");
  }

  private static boolean isWithin(Duration span, Duration least, Duration most) {
    return span.compareTo(least) >= 0 && span.compareTo(most) <= 0;
  }

  private static void threshold(Checks checks, String field, @Nullable Integer number) {
    checks.require(number == null || (number >= 1 && number <= 100), field, "must be 1 to 100");
  }

  static boolean hasCredential(String endpoint) {
    return !UrlQuery.change(endpoint, (name, value) -> SecretNames.contains(name) ? "" : value)
        .equals(endpoint);
  }
}
