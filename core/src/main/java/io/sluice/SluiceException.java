package io.sluice;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one exception of Sluice; its {@link #code()} says what kind of trouble it is. */
public class SluiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final @Nullable String field;
  private final @Nullable Duration retryAfter;

  public SluiceException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public SluiceException(ErrorCode code, String message, @Nullable Throwable cause) {
    this(code, message, cause, null, null);
  }

  SluiceException(
      ErrorCode code, String message, @Nullable Throwable cause, @Nullable Duration retryAfter) {
    this(code, message, cause, null, retryAfter);
  }

  private SluiceException(
      ErrorCode code,
      String message,
      @Nullable Throwable cause,
      @Nullable String field,
      @Nullable Duration retryAfter) {
    super(code + ": " + message, cause);
    this.code = code;
    this.field = field;
    this.retryAfter = retryAfter;
  }

  /** An {@code INVALID_MESSAGE} that names the field and says what would be right. */
  public static SluiceException invalid(String field, String problem) {
    return new SluiceException(ErrorCode.INVALID_MESSAGE, field + " " + problem, null, field, null);
  }

  /** A refusal that passes by itself, and how long that takes. */
  public static SluiceException later(ErrorCode code, String message, Duration retryAfter) {
    return new SluiceException(code, message, null, null, retryAfter);
  }

  /** A {@code NOT_FOUND} that names the field which asks for what is not there. */
  public static SluiceException notFound(String field, String problem) {
    return new SluiceException(ErrorCode.NOT_FOUND, field + ": " + problem, null, field, null);
  }

  /** The same trouble as that of one part of what was asked for, as {@code jobs[3]}. */
  public SluiceException in(String part) {
    String message = String.valueOf(getMessage());
    String prefix = code + ": ";
    String text = message.startsWith(prefix) ? message.substring(prefix.length()) : message;
    String place = field == null ? null : part + "." + field;
    return new SluiceException(code, part + "." + text, this, place, retryAfter);
  }

  public ErrorCode code() {
    return code;
  }

  /** The field that is not acceptable, where it is one; the message begins with it. */
  public Optional<String> field() {
    return Optional.ofNullable(field);
  }

  /** How long to wait before another try, where that is known. */
  public Optional<Duration> retryAfter() {
    return Optional.ofNullable(retryAfter);
  }
}
