package io.sluice.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs became due and ready, and how long until the next one does: zero when more are due,
 * null when none waits. It is held when nothing could be moved because somebody else has all that is due in
 * hand; the time is then that of the next one after those.
 */
public record Promotion(int moved, @Nullable Duration untilNext, boolean held) {
  public Promotion(int moved, @Nullable Duration untilNext) {
    this(moved, untilNext, false);
  }
}
