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

  static Answer of(SluiceException e) {
    Answer answer = of(e.code(), detail(e), errors(e));
    return switch (answer.status()) {
      case 401 -> answer.with("WWW-Authenticate", "Bearer");
      case 429, 503 ->
        answer.with("Retry-After", e.retryAfter().map(Problem::seconds).orElse(SOON));
      default -> answer;
    };
  }

  private static String seconds(Duration after) {
    return String.valueOf(Math.max(1, after.plusMillis(999).toSeconds()));
  }

  static Answer of(ErrorCode code, String detail, @Nullable List<FieldError> errors) {
    Problem problem = new Problem(
        "urn:sluice:problem:" + code.name().toLowerCase(Locale.ROOT).replace('_', '-'),
        title(code),
        status(code),
        detail,
        code.name(),
        errors);
    return new Answer(problem.status, problem, Map.of("Content-Type", "application/problem+json"));
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
      case TOO_LARGE -> 413;
      case INVALID_MESSAGE, UNSUPPORTED -> 422;
      case QUEUE_FULL, RATE_LIMITED -> 429;
      case PERSISTENCE_FAILURE, SHUTDOWN_IN_PROGRESS, CIRCUIT_OPEN -> 503;
      case MESSAGE_TIMEOUT,
          MAX_RETRIES_EXCEEDED,
          WORKER_LOST,
          HANDLER_FAILED,
          INTERNAL,
          BAD_CONFIGURATION -> 500;
    };
  }
}
