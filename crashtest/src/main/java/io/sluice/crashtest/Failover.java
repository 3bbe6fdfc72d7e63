package io.sluice.crashtest;

import java.time.Duration;
import java.util.List;

/**
 * All that a failover left behind: the history, what the standby had when it was cut off, what the tables hold at
 * the end, and the workers.
 */
record Failover(
    List<Entry> history,
    List<Row> had,
    List<Row> rows,
    List<String> workers,
    Moments moments,
    Duration lease) {

  /** When the standby heard the last, when the primary died, and when clients were led to the standby. */
  record Moments(long cutOff, long death, long promoted) {
    Duration lag() {
      return Duration.ofNanos(death - cutOff);
    }

    Duration outage() {
      return Duration.ofNanos(promoted - death);
    }
  }

  Failover {
    history = List.copyOf(history);
    had = List.copyOf(had);
    rows = List.copyOf(rows);
    workers = List.copyOf(workers);
  }
}
