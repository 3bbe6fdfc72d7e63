package io.sluice;

/** How many jobs may start in a second, on the average, and how many at once after a pause. */
public record RateLimit(double perSecond, int burst) {
  public RateLimit {
    if (!(perSecond > 0 && perSecond <= 1e9)) {
      throw SluiceException.invalid(
          "rateLimit.perSecond", "must be more than 0 and at most 1000000000, was " + perSecond);
    }
    if (burst < 1) {
      throw SluiceException.invalid("rateLimit.burst", "must be 1 or more, was " + burst);
    }
  }
}
