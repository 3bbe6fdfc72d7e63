package io.sluice;

/** Why an attempt failed, as far as it decides whether another one makes sense. */
public enum ErrorClass {
  NETWORK(true),
  TIMEOUT(true),
  VALIDATION(false),
  AUTH(false),
  NOT_FOUND(false),
  /** Any other refusal by the other side: an HTTP 4xx. */
  REJECTED(false),
  RATE_LIMITED(true),
  SERVER(true),
  CIRCUIT_OPEN(true),
  UNKNOWN(true);

  private final boolean retried;

  ErrorClass(boolean retried) {
    this.retried = retried;
  }

  /** True when a job that failed this way is tried again unless its policy says otherwise. */
  public boolean isRetried() {
    return retried;
  }

  /** The class of an HTTP answer that is not a success. */
  public static ErrorClass ofStatus(int status) {
    return switch (status) {
      case 400, 422 -> VALIDATION;
      case 401, 403 -> AUTH;
      case 404, 410 -> NOT_FOUND;
      case 408 -> TIMEOUT;
      case 429 -> RATE_LIMITED;
      default -> {
        if (status >= 500) {
          yield SERVER;
        }
        yield status >= 300 ? REJECTED : UNKNOWN;
      }
    };
  }
}
