package io.sluice.embedded;

import org.jspecify.annotations.Nullable;

/** Why an embedded PostgreSQL could not be started or stopped, in words for the person who runs it. */
public sealed class EmbeddedPostgresException extends RuntimeException
    permits Postmaster.PortTaken {
  private static final long serialVersionUID = 1L;

  EmbeddedPostgresException(String message) {
    super(message);
  }

  EmbeddedPostgresException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
