package io.sluice.crashtest;

import java.time.Duration;

/** How large a crash test is. {@code faults} says how often each kind is applied. */
record Size(String name, int workers, int jobs, Duration lease, Duration length, Faults faults) {
  /**
   * How often: worker kills, worker pauses, database kills, workers whose words come too late, producer
   * faults, connection faults.
   */
  record Faults(
      int kills, int pauses, int databaseKills, int lateWords, int producers, int connections) {}

  static Size quick() {
    return new Size(
        "quick",
        2,
        600,
        Duration.ofSeconds(2),
        Duration.ofSeconds(16),
        new Faults(3, 1, 1, 1, 1, 3));
  }

  static Size large() {
    return new Size(
        "long",
        3,
        20_000,
        Duration.ofSeconds(3),
        Duration.ofSeconds(240),
        new Faults(20, 10, 5, 10, 6, 30));
  }

  /** What finds a broken build, soon: many faults for its length. */
  static Size brief() {
    return new Size(
        "short",
        3,
        4_000,
        Duration.ofSeconds(2),
        Duration.ofSeconds(60),
        new Faults(4, 4, 3, 6, 0, 4));
  }

  /** The size for a tier, as in the system property {@code sluice.tier}. */
  static Size of(String tier) {
    return switch (tier) {
      case "quick" -> quick();
      case "short" -> brief();
      case "long" -> large();
      default ->
        throw new IllegalArgumentException("sluice.tier must be quick, short or long: " + tier);
    };
  }

  /** The time from one enqueue to the next, so that work comes in for as long as there are faults. */
  long intervalNanos() {
    return length.toNanos() / jobs;
  }
}
