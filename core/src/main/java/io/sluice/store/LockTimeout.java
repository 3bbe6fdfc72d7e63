package io.sluice.store;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import org.jspecify.annotations.Nullable;

/**
 * A write was given up, with nothing written, because somebody else's transaction holds what it needs. The
 * same write may succeed later, and without the one that waits at once.
 */
public final class LockTimeout extends SluiceException {
  private static final long serialVersionUID = 1L;

  public LockTimeout(String message, @Nullable Throwable cause) {
    super(ErrorCode.PERSISTENCE_FAILURE, message, cause);
  }
}
