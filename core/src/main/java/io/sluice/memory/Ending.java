package io.sluice.memory;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How a job ended, and until when it is kept. */
record Ending(
    Instant at,
    Instant keepUntil,
    @Nullable String result,
    @Nullable String reason) {

  static Ending of(
      Instant now, Duration keepFor, @Nullable String result, @Nullable String reason) {
    return new Ending(now, sum(now, keepFor), result, reason);
  }

  /** The sum, or the end of time: one absurd duration must not fail the other jobs of a call. */
  private static Instant sum(Instant now, Duration keepFor) {
    try {
      return now.plus(keepFor);
    } catch (DateTimeException | ArithmeticException tooLong) {
      return Instant.MAX;
    }
  }

  boolean isOver(Instant now) {
    return !keepUntil.isAfter(now);
  }
}
