package io.sluice.engine;

import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How much one claim may take. From a queue that is alone it is as much as there is room for. Where several
 * have had work lately, whoever comes next waits for the claim under way: then it is no more than claims
 * have been taking within a few milliseconds.
 */
final class ClaimSize {
  private static final double BRIEF = Duration.ofMillis(8).toNanos();
  private static final long LATELY = Duration.ofSeconds(10).toNanos();
  private static final int FIRST = 256;
  private static final int LEAST = 64;
  private static final int MOST = 5_000;
  /** The time of smaller claims says little about what a unit takes. */
  private static final int TELLING = 32;

  private static final double WEIGHT = 0.3;

  private double brief = FIRST;
  private @Nullable Share last;
  private boolean wasShared;
  private long sharedAt;

  /** How many of so many units may be claimed now. */
  int of(int room, long now) {
    wasShared = wasShared && now - sharedAt < LATELY;
    return wasShared ? Math.min(room, (int) Math.round(brief)) : room;
  }

  /** Notes whom the units of a claim were dealt to. */
  void dealt(Set<Share> shares, long now) {
    boolean others = last != null && shares.stream().anyMatch(share -> !share.equals(last));
    if (others || shares.size() > 1) {
      wasShared = true;
      sharedAt = now;
    }
    last = shares.iterator().next();
  }

  /** Notes in what time so many units were looked for and claimed. */
  void took(int units, long nanos) {
    if (units >= TELLING) {
      double fit = units * BRIEF / Math.max(1, nanos);
      brief = Math.clamp(brief + WEIGHT * (fit - brief), LEAST, MOST);
    }
  }
}
