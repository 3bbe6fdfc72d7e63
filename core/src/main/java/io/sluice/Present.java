package io.sluice;

import org.jspecify.annotations.Nullable;

/** The check that whoever describes work gave something where nothing will not do. */
final class Present {
  private Present() {}

  static <T> T of(String field, @Nullable T value) {
    if (value == null) {
      throw SluiceException.invalid(field, "must not be null");
    }
    return value;
  }
}
