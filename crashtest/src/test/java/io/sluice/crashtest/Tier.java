package io.sluice.crashtest;

/** Which of the two sizes of the tests was asked for. */
final class Tier {
  private Tier() {}

  static String name() {
    return System.getProperty("sluice.tier", "quick");
  }

  static boolean isLong() {
    return name().equals("long");
  }

  static int choose(int quick, int large) {
    return isLong() ? large : quick;
  }
}
