package io.sluice;

/**
 * The shares of its size at which a capped queue or tenant is called WARNING and HIGH. Shares, so that
 * they keep their meaning when the size is changed; where both are the same there is no WARNING.
 */
public record Marks(double warning, double high) {
  public static final Marks DEFAULT = new Marks(Defaults.WARNING_LEVEL, Defaults.HIGH_LEVEL);

  public Marks {
    if (!(warning > 0 && warning <= 1)) {
      throw SluiceException.invalid(
          "levels.warning",
          "must be a share of the size, more than 0 and at most 1, was " + warning);
    }
    if (!(high >= warning && high <= 1)) {
      throw SluiceException.invalid(
          "levels.high",
          "must be a share of the size, from levels.warning (" + warning + ") to 1, was " + high);
    }
  }
}
