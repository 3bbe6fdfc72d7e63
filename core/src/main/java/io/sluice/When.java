package io.sluice;

import java.time.Duration;
import java.time.Instant;

/** A moment that the store works out on its own clock. */
public sealed interface When {
  record Now() implements When {}

  record In(Duration delay) implements When {}

  record At(Instant time) implements When {}

  static When now() {
    return new Now();
  }

  static When in(Duration delay) {
    return new In(delay);
  }

  static When at(Instant time) {
    return new At(time);
  }

  /** The moment, where the clock shows {@code now}. */
  default Instant from(Instant now) {
    return switch (this) {
      case Now n -> now;
      case In in -> now.plus(in.delay());
      case At at -> at.time();
    };
  }
}
