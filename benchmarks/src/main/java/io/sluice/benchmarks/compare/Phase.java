package io.sluice.benchmarks.compare;

import java.util.Locale;

/** A stretch of work that is timed. A build does them in this order; the last empties the queue again. */
enum Phase {
  SINGLE("single enqueue"),
  BULK("bulk enqueue"),
  DRAIN("drain");

  private final String title;

  Phase(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** The first word of the order that starts it in a {@link Workload}. */
  String order() {
    return name().toLowerCase(Locale.ROOT);
  }
}
