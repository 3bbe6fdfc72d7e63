package io.sluice.crashtest;

import java.time.Duration;
import java.util.List;

/** All that a run left behind: the history in the order of time, and the tables. */
record Evidence(List<Entry> history, List<Row> rows, Duration lease, Duration took) {
  Evidence {
    history = List.copyOf(history);
    rows = List.copyOf(rows);
  }
}
