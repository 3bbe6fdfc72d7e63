package io.sluice;

import java.time.Duration;
import java.util.Locale;

/**
 * How many jobs may start in a second, a minute or an hour, on the average, and how many at once after a
 * pause. A job of a higher cost counts for so many.
 */
public record RateLimit(double amount, Per per, int burst) {
  private static final double MOST = 1e9;

  /** The time that an amount is for. */
  public enum Per {
    SECOND(1),
    MINUTE(60),
    HOUR(3600);

    private final int seconds;

    Per(int seconds) {
      this.seconds = seconds;
    }
  }

  public RateLimit {
    if (!(amount > 0 && amount <= MOST)) {
      throw SluiceException.invalid(
          "rateLimit.per" + word(per), "must be more than 0 and at most 1000000000, was " + amount);
    }
    if (burst < 1) {
      throw SluiceException.invalid("rateLimit.burst", "must be 1 or more, was " + burst);
    }
  }

  /** So many in a second. */
  public RateLimit(double perSecond, int burst) {
    this(perSecond, Per.SECOND, burst);
  }

  public double perSecond() {
    return amount / per.seconds;
  }

  /** The time that one start pays for. */
  public Duration interval() {
    return Duration.ofNanos(Math.max(1, Math.round(1e9 / perSecond())));
  }

  private static String word(Per per) {
    String name = per.name();
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }
}
