package io.sluice;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What a handler wants to happen to its job. */
public sealed interface Outcome {
  /** It is done, with a result that is kept as JSON. */
  record Done(@Nullable Object result) implements Outcome {}

  /** It failed; the policy decides whether and when it is tried again. */
  record Failed(Throwable error) implements Outcome {}

  /** It failed and shall be tried again at that moment, as long as attempts are left. */
  record Retry(When when, String reason) implements Outcome {}

  /** It did not fail, it is only too early: the attempt is given back. */
  record Snooze(When when) implements Outcome {}

  /** It can never succeed. */
  record Dead(String reason) implements Outcome {}

  /** It is no longer wanted. */
  record Cancel(String reason) implements Outcome {}

  static Outcome done() {
    return new Done(null);
  }

  static Outcome done(Object result) {
    return new Done(result);
  }

  static Outcome failed(Throwable error) {
    return new Failed(error);
  }

  static Outcome retryIn(Duration delay, String reason) {
    return new Retry(When.in(delay), reason);
  }

  static Outcome retryAt(Instant time, String reason) {
    return new Retry(When.at(time), reason);
  }

  static Outcome snooze(Duration delay) {
    return new Snooze(When.in(delay));
  }

  static Outcome snoozeUntil(Instant time) {
    return new Snooze(When.at(time));
  }

  static Outcome dead(String reason) {
    return new Dead(reason);
  }

  static Outcome cancel(String reason) {
    return new Cancel(reason);
  }
}
