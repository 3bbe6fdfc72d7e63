package io.sluice;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A failure that its handler has already judged: its class and code, and what else is known of it.
 * The classifier is not asked. For handlers that speak to another system and know what its answer
 * means.
 */
public final class AttemptFailure extends Exception {
  private static final long serialVersionUID = 1L;

  private final transient Details details;

  /**
   * What is known beside the message. {@code retry} says when to try again, if the policy allows
   * another attempt at all; {@code policy} stands in for the queue's where the job has none of its own.
   */
  private record Details(
      ErrorClass errorClass,
      String code,
      @Nullable Integer status,
      @Nullable String responseBody,
      @Nullable When retry,
      @Nullable RetryPolicy policy) {}

  private AttemptFailure(String message, Details details) {
    super(message, null, false, false);
    this.details = details;
  }

  public AttemptFailure(ErrorClass errorClass, String code, String message) {
    this(message, new Details(errorClass, code, null, null, null, null));
  }

  /** The same failure with the answer of the other side: its status and the beginning of its body. */
  public AttemptFailure withAnswer(int status, @Nullable String body) {
    return with(
        new Details(details.errorClass, details.code, status, body, details.retry, details.policy));
  }

  /** The same failure in other words. */
  public AttemptFailure withMessage(String message) {
    return new AttemptFailure(message, details);
  }

  /** The same failure, to be tried again at that moment if at all. */
  public AttemptFailure withRetry(When retry) {
    return with(new Details(
        details.errorClass,
        details.code,
        details.status,
        details.responseBody,
        retry,
        details.policy));
  }

  /** The same failure under another policy, in force where the job has none of its own. */
  public AttemptFailure withPolicy(RetryPolicy policy) {
    return with(new Details(
        details.errorClass,
        details.code,
        details.status,
        details.responseBody,
        details.retry,
        policy));
  }

  private AttemptFailure with(Details other) {
    return new AttemptFailure(String.valueOf(getMessage()), other);
  }

  public ErrorClass errorClass() {
    return details.errorClass;
  }

  public String code() {
    return details.code;
  }

  public Optional<Integer> status() {
    return Optional.ofNullable(details.status);
  }

  public Optional<String> responseBody() {
    return Optional.ofNullable(details.responseBody);
  }

  public Optional<When> retry() {
    return Optional.ofNullable(details.retry);
  }

  public Optional<RetryPolicy> policy() {
    return Optional.ofNullable(details.policy);
  }
}
