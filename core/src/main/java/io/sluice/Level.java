package io.sluice;

/** How full a capped queue is. */
public enum Level {
  NORMAL,
  WARNING,
  HIGH,
  FULL;

  /** The level of a queue that holds so many of so many. */
  public static Level of(long held, long most, HealthRules rules) {
    if (held >= most) {
      return FULL;
    }
    double share = (double) held / most;
    if (share >= rules.highLevel()) {
      return HIGH;
    }
    return share >= rules.warningLevel() ? WARNING : NORMAL;
  }
}
