package io.sluice;

import org.jspecify.annotations.Nullable;

/** The one exception of Sluice; its {@link #code()} says what kind of trouble it is. */
public class SluiceException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode code;

  public SluiceException(ErrorCode code, String message) {
    this(code, message, null);
  }

  public SluiceException(ErrorCode code, String message, @Nullable Throwable cause) {
    super(code + ": " + message, cause);
    this.code = code;
  }

  /** An {@code INVALID_MESSAGE} that names the field and says what would be right. */
  public static SluiceException invalid(String field, String problem) {
    return new SluiceException(ErrorCode.INVALID_MESSAGE, field + " " + problem);
  }

  public ErrorCode code() {
    return code;
  }
}
