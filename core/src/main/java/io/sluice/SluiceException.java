package io.sluice;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The one exception of Sluice; its {@link #code()} says what kind of trouble it is. */
public class SluiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;
  private final @Nullable String field;

  public SluiceException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public SluiceException(ErrorCode code, String message, @Nullable Throwable cause) {
    this(code, message, cause, null);
  }

  private SluiceException(
      ErrorCode code, String message, @Nullable Throwable cause, @Nullable String field) {
    super(code + ": " + message, cause);
    this.code = code;
    this.field = field;
  }

  /** An {@code INVALID_MESSAGE} that names the field and says what would be right. */
  public static SluiceException invalid(String field, String problem) {
    return new SluiceException(ErrorCode.INVALID_MESSAGE, field + " " + problem, null, field);
  }

  public ErrorCode code() {
    return code;
  }

  /** The field that is not acceptable, where it is one; the message begins with it. */
  public Optional<String> field() {
    return Optional.ofNullable(field);
  }
}
