package io.sluice.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes a clock that was set forward from time that passed. Between two looks a clock may gain a second on
 * the ticker, no more: what it gained beyond that did not pass for anybody.
 */
final class Jumps {
  private static final Duration SMALL = Duration.ofSeconds(1);

  private final LongSupplier nanoTime;
  private @Nullable Instant seen;
  private long seenAt;

  Jumps(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** How far the clock was set forward since the last look; zero when it was not. */
  Duration since(Instant now) {
    long tick = nanoTime.getAsLong();
    Instant before = seen;
    Duration gained =
        before == null ? Duration.ZERO : Duration.between(before, now).minusNanos(tick - seenAt);
    seen = now;
    seenAt = tick;
    return gained.compareTo(SMALL) < 0 ? Duration.ZERO : gained;
  }
}
