package io.sluice.server.rest;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A refusal as RFC 9457 wants it told. The one place that knows which code has which status. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Problem(
    String type,
    String title,
    int status,
    String detail,
    String code,
    @Nullable List<FieldError> errors) {

  /** How long to wait before another try, in seconds, for what passes by itself. */
  private static final String SOON = "1";

  /**
   * What a caller hears while the store does not do its part. Why is in the log alone: it names hosts,
   * ports and tables, and a caller may be anybody.
   */
  private static final String STORE_AWAY =
      "the store cannot serve this now; try again. The server's log has the reason";

  static Answer of(SluiceException e) {
    Answer answer = of(e.code(), shown(e), errors(e));
    return switch (answer.status()) {
      case 401 -> answer.with("WWW-Authenticate", "Bearer");
      case 429, 503 ->
        // A quota gets no room by waiting.
        e.code() == ErrorCode.QUOTA_EXCEEDED
            ? answer
            : answer.with("Retry-After", e.retryAfter().map(Problem::seconds).orElse(SOON));
      default -> answer;
    };
  }

  private static String seconds(Duration after) {
    return String.valueOf(Math.max(1, after.plusMillis(999).toSeconds()));
  }

  static Answer of(ErrorCode code, String detail, @Nullable List<FieldError> errors) {
    return of(status(code), code, detail, errors);
  }

  /** A request that is refused for its form, with the status that HTTP has for that. */
  static Answer ofForm(int status, String detail) {
    boolean large = status == 413 || status == 414 || status == 431;
    return of(status, large ? ErrorCode.TOO_LARGE : ErrorCode.MALFORMED, detail, null);
  }

  private static Answer of(
      int status, ErrorCode code, String detail, @Nullable List<FieldError> errors) {
    Problem problem = new Problem(
        "urn:sluice:problem:" + code.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        title(code),
        status,
        Echo.cut(detail),
        code.name(),
        errors == null ? null : errors.stream().map(Echo::cut).toList());
    return new Answer(problem.status, problem, Map.of("Content-Type", "application/problem+json"));
  }

  private static String shown(SluiceException e) {
    return e.code() == ErrorCode.PERSISTENCE_FAILURE ? STORE_AWAY : detail(e);
  }

  private static @Nullable List<FieldError> errors(SluiceException e) {
    if (e instanceof Invalid invalid) {
      return invalid.errors();
    }
    return e.field().map(field -> List.of(new FieldError(field, reason(e)))).orElse(null);
  }

  /** What would be right for the field at fault, without its name; the detail where there is none. */
  public static String reason(SluiceException e) {
    String detail = detail(e);
    return detail
        .substring(e.field().map(field -> field.length() + 1).orElse(0))
        .strip();
  }

  /** What went wrong, without the code that stands beside it. */
  public static String detail(SluiceException e) {
    String message = String.valueOf(e.getMessage());
    String code = e.code() + ": ";
    return message.startsWith(code) ? message.substring(code.length()) : message;
  }

  private static String title(ErrorCode code) {
    String words = code.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return Character.toUpperCase(words.charAt(0)) + words.substring(1);
  }

  static int status(ErrorCode code) {
    return switch (code) {
      case MALFORMED -> 400;
      case UNAUTHORIZED -> 401;
      case FORBIDDEN -> 403;
      case NOT_FOUND -> 404;
      case METHOD_NOT_ALLOWED -> 405;
      case CONFLICT, LEASE_LOST, DUPLICATE_MESSAGE, HANDLER_NOT_FOUND -> 409;
      case TOO_LARGE, RESULTS_TOO_LARGE -> 413;
      case INVALID_MESSAGE, UNSUPPORTED -> 422;
      case QUEUE_FULL, RATE_LIMITED, QUOTA_EXCEEDED -> 429;
      case PERSISTENCE_FAILURE, SHUTDOWN_IN_PROGRESS, CIRCUIT_OPEN, OVERLOADED -> 503;
      case MESSAGE_TIMEOUT,
          MAX_RETRIES_EXCEEDED,
          WORKER_LOST,
          HANDLER_FAILED,
          INTERNAL,
          BAD_CONFIGURATION -> 500;
    };
  }
}
