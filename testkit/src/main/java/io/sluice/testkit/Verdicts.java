package io.sluice.testkit;

import io.sluice.ErrorClass;
import io.sluice.JobError;
import io.sluice.JobState;
import io.sluice.When;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The ends that an attempt can come to, in the words of a test. */
public final class Verdicts {
  /** How long the jobs of a test are kept when the test does not care. */
  public static final Duration KEEP = Duration.ofDays(7);

  private Verdicts() {}

  public static Verdict completed() {
    return completed(null);
  }

  public static Verdict completed(@Nullable String result) {
    return new Verdict.End(JobState.COMPLETED, result, null, null, KEEP);
  }

  public static Verdict dead(String reason) {
    return end(JobState.DEAD, reason);
  }

  /** Any end but a completion, with a reason. */
  public static Verdict end(JobState state, String reason) {
    return new Verdict.End(state, null, reason, null, KEEP);
  }

  public static Verdict end(JobState state, Duration keepFor) {
    return new Verdict.End(state, null, null, null, keepFor);
  }

  public static Verdict retryIn(Duration delay) {
    return new Verdict.Again(JobState.RETRYING, When.in(delay), true, Strikes.NONE, null);
  }

  public static Verdict retryIn(Duration delay, JobError error) {
    return new Verdict.Again(JobState.RETRYING, When.in(delay), true, Strikes.NONE, error);
  }

  public static Verdict retryNow() {
    return new Verdict.Again(JobState.RETRYING, When.now(), true, Strikes.NONE, null);
  }

  public static Verdict snooze(Duration delay) {
    return new Verdict.Again(JobState.SCHEDULED, When.in(delay), false, Strikes.NONE, null);
  }

  public static Verdict givenBack() {
    return Verdict.unspent(Strikes.NONE);
  }

  /** The verdict on a job whose worker was lost: round again, with these strikes. */
  public static Verdict struck(Strikes strikes) {
    return new Verdict.Again(JobState.PENDING, When.now(), false, strikes, null);
  }

  /** A verdict that puts a running job into a state; not for RUNNING itself. */
  public static Verdict into(JobState state) {
    return switch (state) {
      case PENDING -> givenBack();
      case SCHEDULED -> snooze(Duration.ofMinutes(1));
      case RETRYING -> retryIn(Duration.ofMinutes(1));
      case COMPLETED -> completed();
      case FAILED, DEAD, CANCELLED -> end(state, "by a verdict");
      case RUNNING -> throw new IllegalArgumentException("no verdict leaves a job running");
    };
  }

  public static JobError error(Instant at, int attempt, String message) {
    return new JobError(
        at, attempt, ErrorClass.UNKNOWN, "HANDLER_FAILED", message, null, null, null);
  }
}
