package io.sluice.store;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a ready job stands. {@code ahead} ready jobs go before it: those of its lane that are more urgent
 * or as urgent and older, or where it runs in a strict order, all older ones of that. {@code ended} jobs of
 * its lane came to an end of their own {@code within} the last so long, which is the time that the lane was
 * seen at work. {@code behind} is the job of its order that all others wait for: one that runs, or ran before
 * and waits for its time, else the oldest; null where that is this one, or where there is no order.
 */
public record Standing(
    long ahead, long ended, Duration within, @Nullable UUID behind) {
  /** How far back ends count. */
  public static final Duration LATELY = Duration.ofMinutes(1);

  /** How many ends are looked at: where more came lately, the time is that of the newest so many. */
  public static final int MOST_ENDED = 1_000;

  private static final Duration BRIEFEST = Duration.ofSeconds(1);

  /**
   * How long a lane was seen at work: a minute, or where the oldest of the jobs that ended in it was enqueued
   * later than that, since then. What was seen in less than a second says too little of a pace.
   */
  public static Duration seen(Instant oldestCreated, Instant now) {
    Duration age = Duration.between(oldestCreated, now);
    if (age.compareTo(LATELY) > 0) {
      return LATELY;
    }
    return age.compareTo(BRIEFEST) < 0 ? BRIEFEST : age;
  }

  /** The standing of a job that is not ready. */
  public static final Standing NONE = new Standing(0, 0, LATELY, null);
}
