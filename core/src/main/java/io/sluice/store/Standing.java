package io.sluice.store;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a job stands in its lane. {@code ahead} ready jobs go before it; {@code ended} jobs of the lane
 * came to an end of their own {@code within} the last so long; {@code behind} is the job that a strict
 * order puts first, null where that is this one, or where there is no order.
 */
public record Standing(
    long ahead, long ended, Duration within, @Nullable UUID behind) {
  /** How far back ends count. */
  public static final Duration LATELY = Duration.ofMinutes(1);

  /** How many ends are looked at: where more came lately, the time is that of the newest so many. */
  public static final int MOST_ENDED = 1_000;

  /** The standing of a job that is not ready. */
  public static final Standing NONE = new Standing(0, 0, LATELY, null);
}
