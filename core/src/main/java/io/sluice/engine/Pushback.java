package io.sluice.engine;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How long to leave a receiver alone that says it has too much: as long as it asks for, and where it does
 * not say, a second that doubles to a minute each time it says so again.
 */
final class Pushback {
  static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(60);

  private Duration next = FIRST;

  /** The time to wait from now; zero when the hold that is in force answers for this one too. */
  Duration after(@Nullable Duration asked, boolean held) {
    if (asked != null && asked.isPositive()) {
      return asked;
    }
    if (held) {
      // Requests that were on their way before it said so.
      return Duration.ZERO;
    }
    Duration wait = next;
    Duration twice = wait.multipliedBy(2);
    next = twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
    return wait;
  }

  /** Notes that the receiver took something. */
  void taken() {
    next = FIRST;
  }
}
