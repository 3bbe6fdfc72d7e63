package io.sluice.engine;

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

  private final Codec codec;
  private final ErrorClassifier classifier;
  private final RandomGenerator random;

  Judge(Tools tools) {
    this.codec = tools.codec();
    this.classifier = tools.classifier();
    this.random = tools.random();
  }

  /** What is known of the attempt that is judged. */
  record Case(
      int attempt,
      RetryPolicy policy,
      QueueSettings queue,
      Strikes strikes,
      @Nullable Instant expiresAt,
      Instant now) {
    Duration keep(JobState state) {
      return queue.retention().of(state);
    }
  }

  Verdict judge(Outcome outcome, Case of) {
    return switch (outcome) {
      case Outcome.Done done -> end(JobState.COMPLETED, encoded(done.result()), null, null, of);
      case Outcome.Failed failed -> failed(failed.error(), of);
      case Outcome.Retry retry -> retry(retry, of);
      case Outcome.Snooze snooze -> again(JobState.SCHEDULED, snooze.when(), false, null, of);
      case Outcome.Dead dead ->
        buried(dead.reason(), error(ErrorClass.REJECTED, "DEAD", dead.reason(), null, of), of);
      case Outcome.Cancel cancel -> end(JobState.CANCELLED, null, text(cancel.reason()), null, of);
    };
  }

  private Verdict failed(Throwable thrown, Case of) {
    ErrorClass errorClass = classifier.classify(thrown);
    JobError error = error(errorClass, codeOf(thrown), messageOf(thrown), stackOf(thrown), of);
    Optional<Duration> delay = of.policy().delayAfter(of.attempt(), errorClass, random);
    if (delay.isPresent()) {
      return again(JobState.RETRYING, When.in(delay.get()), true, error, of);
    }
    return buried(reasonFor(errorClass, of), error, of);
  }

  private static String reasonFor(ErrorClass errorClass, Case of) {
    boolean couldRetry = errorClass.isRetried() || of.policy().on().containsKey(errorClass);
    return couldRetry ? ErrorCode.MAX_RETRIES_EXCEEDED.name() : errorClass.name();
  }

  private Verdict retry(Outcome.Retry retry, Case of) {
    JobError error =
        error(ErrorClass.UNKNOWN, ErrorCode.HANDLER_FAILED.name(), retry.reason(), null, of);
    return of.attempt() < of.policy().maxAttempts()
        ? again(JobState.RETRYING, retry.when(), true, error, of)
        : buried(ErrorCode.MAX_RETRIES_EXCEEDED.name(), error, of);
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

  /** A job that would wait beyond its own expiry is cancelled instead. */
  private static Verdict again(
      JobState state, When when, boolean spent, @Nullable JobError error, Case of) {
    Instant expiry = of.expiresAt();
    if (expiry != null && !when.from(of.now()).isBefore(expiry)) {
      return new Verdict.End(
          JobState.CANCELLED, null, "EXPIRED", error, of.keep(JobState.CANCELLED));
    }
    // The job lived through an attempt, so it is no longer suspected of taking its worker down.
    return new Verdict.Again(state, when, spent, new Strikes(of.strikes().count(), false), error);
  }

  private @Nullable String encoded(@Nullable Object result) {
    if (result == null) {
      return null;
    }
    try {
      String json = codec.encode(result);
      if (json.length() <= Defaults.MAX_PAYLOAD_BYTES) {
        return json;
      }
      LOG.warn("a result of {} characters is too long and was not kept", json.length());
    } catch (SluiceException e) {
      LOG.warn("a result was not kept: {}", e.getMessage());
    }
    return null;
  }

  private static JobError error(
      ErrorClass errorClass, String code, String message, @Nullable String stack, Case of) {
    return new JobError(of.now(), of.attempt(), errorClass, code, text(message), stack, null, null);
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
    String plain = raw.replace('\0', '?');
    return plain.length() <= Defaults.MAX_ERROR_TEXT
        ? plain
        : plain.substring(0, Defaults.MAX_ERROR_TEXT) + "…";
  }
}
