package io.sluice.server.urlgroup;

import io.sluice.http.Answer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a check passes and what follows from it, with what its group leaves open filled in.
 *
 * @param statuses those that pass; all of 2xx where there are none
 * @param failures so many failed checks in a row make a passing group a failing one
 * @param successes so many passed checks in a row make a failing group a passing one
 */
record HealthRules(
    String endpoint,
    Duration interval,
    Duration timeout,
    List<Integer> statuses,
    @Nullable String body,
    @Nullable Duration maxLatency,
    int failures,
    int successes) {
  static final Duration INTERVAL = Duration.ofSeconds(30);
  static final Duration TIMEOUT = Duration.ofSeconds(5);
  static final int FAILURES = 2;
  static final int SUCCESSES = 1;

  static HealthRules of(UrlGroupBody.HealthCheck check) {
    Duration timeout = timeout(check);
    Duration interval = interval(check);
    return new HealthRules(
        String.valueOf(check.endpoint()),
        // A group from before this was checked may say less.
        interval.compareTo(timeout) < 0 ? timeout : interval,
        timeout,
        check.expectStatus() == null ? List.of() : check.expectStatus(),
        check.expectBody(),
        check.maxLatency(),
        check.failureThreshold() == null ? FAILURES : check.failureThreshold(),
        check.successThreshold() == null ? SUCCESSES : check.successThreshold());
  }

  static Duration interval(UrlGroupBody.HealthCheck check) {
    return check.interval() == null ? INTERVAL : check.interval();
  }

  /** The time for a check; no longer than from one to the next, where it is not said. */
  static Duration timeout(UrlGroupBody.HealthCheck check) {
    if (check.timeout() != null) {
      return check.timeout();
    }
    Duration interval = interval(check);
    return interval.compareTo(TIMEOUT) < 0 ? interval : TIMEOUT;
  }

  /** What is wrong with an answer, if anything. */
  Optional<String> fault(Answer answer) {
    boolean expected = statuses.isEmpty() ? answer.isSuccess() : statuses.contains(answer.status());
    if (!expected) {
      return Optional.of("answered " + answer.status() + ", expected "
          + (statuses.isEmpty() ? "2xx" : statuses.toString()));
    }
    if (body != null
        && !new String(answer.body().toArray(), StandardCharsets.UTF_8).contains(body)) {
      return Optional.of("answered " + answer.status() + " without the expected text in its body");
    }
    if (maxLatency != null && answer.took().compareTo(maxLatency) > 0) {
      return Optional.of("answered after " + answer.took().toMillis() + "ms, expected at most "
          + maxLatency.toMillis() + "ms");
    }
    return Optional.empty();
  }

  /** The state after a check, of which so many in a row had the same outcome: above zero, they passed. */
  String next(String state, int inRow) {
    if (state.equals(GroupHealth.UNKNOWN)) {
      return inRow > 0 ? GroupHealth.PASSING : GroupHealth.FAILING;
    }
    if (inRow >= successes) {
      return GroupHealth.PASSING;
    }
    return -inRow >= failures ? GroupHealth.FAILING : state;
  }
}
