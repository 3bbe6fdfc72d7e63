package io.sluice.server.rest;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.util.List;
import java.util.stream.Collectors;

/** A request whose fields are not acceptable, with everything that is wrong with them. */
public final class Invalid extends SluiceException {
  private static final long serialVersionUID = 1L;

  private final transient List<FieldError> errors;

  public Invalid(List<FieldError> errors) {
    super(
        ErrorCode.INVALID_MESSAGE,
        errors.stream()
            .map(e -> e.field() + " " + e.message())
            .limit(10)
            .collect(Collectors.joining("; ")));
    this.errors = List.copyOf(errors);
  }

  public Invalid(String field, String message) {
    this(List.of(new FieldError(field, message)));
  }

  public List<FieldError> errors() {
    return errors;
  }
}
