package io.sluice.engine;

import io.sluice.AttemptFailure;
import io.sluice.Codec;
import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.ErrorClassifier;
import io.sluice.ErrorCode;
import io.sluice.JobError;
import io.sluice.JobState;
import io.sluice.Outcome;
import io.sluice.QueueSettings;
import io.sluice.RetryPolicy;
import io.sluice.SluiceException;
import io.sluice.When;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Turns what a handler wants into what the store writes. No I/O: a function of what it is given. */
final class Judge {
  private static final Logger LOG = LoggerFactory.getLogger(Judge.class);

  /** Why a job is cancelled that was not started in time; stores use the same word. */
  static final String EXPIRED = "expired";

  private final Codec codec;
  private final ErrorClassifier classifier;
  private final RandomGenerator random;

  Judge(Tools tools) {
    this.codec = tools.codec();
    this.classifier = tools.classifier();
    this.random = tools.random();
  }

  /**
   * What is known of the attempt that is judged; {@code ownPolicy} says that the job brought its policy,
   * {@code probe} that it was sent ahead of others which wait for a breaker.
   */
  record Case(
      int attempt,
      RetryPolicy policy,
      boolean ownPolicy,
      QueueSettings queue,
      Strikes strikes,
      @Nullable Instant expiresAt,
      Instant now,
      boolean probe) {
    Case(
        int attempt,
        RetryPolicy policy,
        boolean ownPolicy,
        QueueSettings queue,
        Strikes strikes,
        @Nullable Instant expiresAt,
        Instant now) {
      this(attempt, policy, ownPolicy, queue, strikes, expiresAt, now, false);
    }

    Case asProbe() {
      return new Case(attempt, policy, ownPolicy, queue, strikes, expiresAt, now, true);
    }

    /**
     * The number of the attempt as far as its failure counts. A probe that fails as the others would
     * shows that the target is down: it costs the job nothing, or the oldest would die of an outage.
     */
    int countedAttempt(ErrorClass errorClass) {
      return isSpared(errorClass) ? 1 : attempt;
    }

    boolean isSpared(ErrorClass errorClass) {
      return probe && CallEnd.fails(errorClass);
    }

    Duration keep(JobState state) {
      return queue.retention().of(state);
    }

    Case under(RetryPolicy other) {
      return ownPolicy
          ? this
          : new Case(attempt, other, false, queue, strikes, expiresAt, now, probe);
    }
  }

  Verdict judge(@Nullable Outcome outcome, Case of) {
    return switch (outcome) {
      case null -> failed(new IllegalStateException("the handler answered null"), of);
      case Outcome.Done done -> end(JobState.COMPLETED, encoded(done.result()), null, null, of);
      case Outcome.Failed failed -> failed(failed.error(), of);
      case Outcome.Retry retry -> retry(retry, of);
      case Outcome.Snooze snooze -> again(JobState.SCHEDULED, snooze.when(), false, null, of);
      case Outcome.Dead dead ->
        buried(dead.reason(), error(ErrorClass.REJECTED, "DEAD", dead.reason(), null, of), of);
      case Outcome.Cancel cancel -> end(JobState.CANCELLED, null, text(cancel.reason()), null, of);
    };
  }

  /** The end of a job that was done elsewhere, with its result as JSON. */
  static Verdict completed(@Nullable String json, Case of) {
    return end(JobState.COMPLETED, json, null, null, of);
  }

  /** The end of a job whose failure is final, whatever its policy allows. */
  static Verdict failedForGood(AttemptFailure known, Case of) {
    return buried(known.errorClass().name(), error(known, of), of);
  }

  Verdict failed(Throwable thrown, Case of) {
    if (thrown instanceof AttemptFailure known) {
      return failed(
          error(known, of), known.retry(), known.policy().map(of::under).orElse(of));
    }
    ErrorClass errorClass = classifier.classify(thrown);
    JobError error = error(errorClass, codeOf(thrown), messageOf(thrown), stackOf(thrown), of);
    return failed(error, Optional.empty(), of);
  }

  private Verdict failed(JobError error, Optional<When> wanted, Case of) {
    return of.policy()
        .delayAfter(of.countedAttempt(error.errorClass()), error.errorClass(), random)
        .map(delay -> retrying(wanted.orElseGet(() -> When.in(delay)), error, of))
        .orElseGet(() -> buried(reasonFor(error.errorClass(), of), error, of));
  }

  private static String reasonFor(ErrorClass errorClass, Case of) {
    boolean couldRetry = errorClass.isRetried() || of.policy().on().containsKey(errorClass);
    return couldRetry ? ErrorCode.MAX_RETRIES_EXCEEDED.name() : errorClass.name();
  }

  private Verdict retry(Outcome.Retry retry, Case of) {
    JobError error =
        error(ErrorClass.UNKNOWN, ErrorCode.HANDLER_FAILED.name(), retry.reason(), null, of);
    return of.countedAttempt(error.errorClass()) < of.policy().maxAttempts()
        ? retrying(retry.when(), error, of)
        : buried(ErrorCode.MAX_RETRIES_EXCEEDED.name(), error, of);
  }

  private static Verdict retrying(When when, JobError error, Case of) {
    return again(JobState.RETRYING, when, !of.isSpared(error.errorClass()), error, of);
  }

  private static Verdict buried(String reason, JobError error, Case of) {
    JobState state = of.queue().deadLetter() ? JobState.DEAD : JobState.FAILED;
    return end(state, null, text(reason), error, of);
  }

  private static Verdict end(
      JobState state,
      @Nullable String result,
      @Nullable String reason,
      @Nullable JobError error,
      Case of) {
    return new Verdict.End(state, result, reason, error, of.keep(state));
  }

  /**
   * What is left when judging itself failed, because of a classifier that throws or an error that
   * cannot be described: a failure that goes by the policy for errors of no known kind.
   */
  Verdict judgePlainly(Case of) {
    JobError error = error(
        ErrorClass.UNKNOWN,
        ErrorCode.HANDLER_FAILED.name(),
        "the attempt failed in a way that could not be judged",
        null,
        of);
    return failed(error, Optional.empty(), of);
  }

  /** A job that would wait beyond its own expiry is cancelled instead. */
  private static Verdict again(
      JobState state, When wanted, boolean spent, @Nullable JobError error, Case of) {
    Instant expiry = of.expiresAt();
    When when = bounded(wanted);
    if (expiry != null && !when.from(of.now()).isBefore(expiry)) {
      return new Verdict.End(JobState.CANCELLED, null, EXPIRED, error, of.keep(JobState.CANCELLED));
    }
    // The job lived through an attempt, so it is no longer suspected of taking its worker down.
    return new Verdict.Again(state, when, spent, of.strikes().cleared(), error);
  }

  /** The moment, or the nearest one that every store can write and work out. */
  private static When bounded(When when) {
    return switch (when) {
      case When.Now now -> now;
      case When.In in -> new When.In(between(Duration.ZERO, in.delay(), Intake.LONGEST));
      case When.At at -> new When.At(between(Instant.EPOCH, at.time(), Intake.LATEST));
    };
  }

  private static <T extends Comparable<T>> T between(T least, T value, T most) {
    if (value.compareTo(least) < 0) {
      return least;
    }
    return value.compareTo(most) > 0 ? most : value;
  }

  private @Nullable String encoded(@Nullable Object result) {
    if (result == null) {
      return null;
    }
    try {
      String json = JsonText.check("result", codec.encode(result));
      if (json.length() <= Defaults.MAX_PAYLOAD_BYTES) {
        return json;
      }
      LOG.warn("a result of {} characters is too long and was not kept", json.length());
    } catch (RuntimeException | StackOverflowError e) {
      LOG.warn("a result was not kept: {}", e.toString());
    }
    return null;
  }

  private static JobError error(
      ErrorClass errorClass, String code, String message, @Nullable String stack, Case of) {
    return new JobError(of.now(), of.attempt(), errorClass, code, text(message), stack, null, null);
  }

  private static JobError error(AttemptFailure known, Case of) {
    return new JobError(
        of.now(),
        of.attempt(),
        known.errorClass(),
        text(known.code()),
        text(String.valueOf(known.getMessage())),
        null,
        known.status().orElse(null),
        known.responseBody().map(Judge::answer).orElse(null));
  }

  private static String codeOf(Throwable thrown) {
    return thrown instanceof SluiceException e ? e.code().name() : ErrorCode.HANDLER_FAILED.name();
  }

  private static String messageOf(Throwable thrown) {
    return thrown instanceof SluiceException e ? String.valueOf(e.getMessage()) : thrown.toString();
  }

  private static String stackOf(Throwable thrown) {
    StringWriter text = new StringWriter();
    thrown.printStackTrace(new PrintWriter(text));
    return text(text.toString());
  }

  /** Text short and plain enough for every store. */
  static String text(String raw) {
    return text(raw, Defaults.MAX_ERROR_TEXT);
  }

  private static String answer(String raw) {
    return text(raw, Defaults.MAX_ANSWER);
  }

  private static String text(String raw, int most) {
    String start = raw.length() <= most ? raw : raw.substring(0, most) + "…";
    StringBuilder plain = new StringBuilder(start.length());
    start
        .codePoints()
        .map(
            c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE) ? '?' : c)
        .forEach(plain::appendCodePoint);
    return plain.toString();
  }
}
