package io.sluice.server.urlgroup;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to deliver a job, and what came of it.
 *
 * @param failure null where it was delivered
 */
record Seen(
    UUID job,
    int attempt,
    Instant at,
    @Nullable Integer status,
    @Nullable Failure failure,
    long durationMs) {
  private static final int LONGEST = 500;

  /** Why it was not delivered. */
  record Failure(ErrorClass errorClass, String code, String message) {
    static Failure of(AttemptFailure failure) {
      String message = String.valueOf(failure.getMessage());
      return new Failure(
          failure.errorClass(),
          failure.code(),
          message.length() <= LONGEST ? message : message.substring(0, LONGEST) + "…");
    }
  }

  /** True when the receiver did what it should, also where something of ours failed after that. */
  boolean isWell() {
    return failure == null || (status != null && status >= 200 && status < 300);
  }

  /** True when the receiver was waited for. */
  boolean hasLatency() {
    return status != null || (failure != null && failure.errorClass == ErrorClass.TIMEOUT);
  }
}
