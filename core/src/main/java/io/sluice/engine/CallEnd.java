package io.sluice.engine;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import io.sluice.JobError;
import io.sluice.JobState;
import io.sluice.Outcome;
import io.sluice.When;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What the end of an attempt says of the place that it went to. {@code pushback} is true when that asked
 * to be left alone, {@code leaveFor} is for how long, if it said so.
 */
record CallEnd(
    Kind kind, long nanos, boolean pushback, @Nullable Duration leaveFor) {
  /** How it went, as far as a breaker cares. */
  enum Kind {
    /** It answered: the job is done, or it is the job that is wrong. */
    WELL,
    /** It did not answer, not in time, or by an error of its own. */
    FAILED,
    /** It answered that it has too much to do. */
    BUSY,
    /** It was not asked, or nobody knows what it did. */
    NOTHING
  }

  private static final int UNAVAILABLE = 503;

  static final CallEnd NOTHING = new CallEnd(Kind.NOTHING, 0, false, null);

  static CallEnd well(long nanos) {
    return new CallEnd(Kind.WELL, nanos, false, null);
  }

  /** What a verdict means, with what the failed attempt wanted to wait, if it said so. */
  static CallEnd of(Verdict verdict, long nanos, Optional<Duration> asked) {
    JobError error = verdict.error();
    if (error == null) {
      return verdict instanceof Verdict.End end && end.state() == JobState.COMPLETED
          ? well(nanos)
          : NOTHING;
    }
    Kind kind = kindOf(error.errorClass());
    boolean unavailable =
        error.status() != null && error.status() == UNAVAILABLE && asked.isPresent();
    return new CallEnd(kind, nanos, kind == Kind.BUSY || unavailable, asked.orElse(null));
  }

  /** True for a failure that says that the target is down. */
  static boolean fails(ErrorClass errorClass) {
    return kindOf(errorClass) == Kind.FAILED;
  }

  private static Kind kindOf(ErrorClass errorClass) {
    return switch (errorClass) {
      case NETWORK, TIMEOUT, SERVER, UNKNOWN -> Kind.FAILED;
      case RATE_LIMITED -> Kind.BUSY;
      case VALIDATION, AUTH, NOT_FOUND, REJECTED -> Kind.WELL;
      case CIRCUIT_OPEN -> Kind.NOTHING;
    };
  }

  /** How long a failed attempt wants to wait before the next one, where it says so itself. */
  static Optional<Duration> asked(@Nullable Outcome outcome, Instant now) {
    return outcome instanceof Outcome.Failed failed
            && failed.error() instanceof AttemptFailure known
        ? known.retry().map(when -> until(when, now))
        : Optional.empty();
  }

  static Duration until(When when, Instant now) {
    return switch (when) {
      case When.Now at -> Duration.ZERO;
      case When.In in -> in.delay();
      case When.At at -> Duration.between(now, at.time());
    };
  }
}
