package io.sluice;

/** How full a capped queue or tenant is. */
public enum Level {
  NORMAL,
  WARNING,
  HIGH,
  FULL;

  /** The level of what holds so many of so many. */
  public static Level of(long held, long most, Marks marks) {
    if (held >= most) {
      return FULL;
    }
    double share = (double) held / most;
    if (share >= marks.high()) {
      return HIGH;
    }
    return share >= marks.warning() ? WARNING : NORMAL;
  }
}
