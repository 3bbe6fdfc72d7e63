package io.sluice.server.access;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.time.Duration;
import java.util.Optional;

/** A refusal that passes by itself, and how long that takes. */
public final class TryLater extends SluiceException {
  private static final long serialVersionUID = 1L;

  private final Duration after;

  public TryLater(ErrorCode code, String message, Duration after) {
    super(code, message);
    this.after = after;
  }

  @Override
  public Optional<Duration> retryAfter() {
    return Optional.of(after);
  }
}
