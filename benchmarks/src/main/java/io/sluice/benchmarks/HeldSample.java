package io.sluice.benchmarks;

import java.util.Map;

/**
 * What was seen in one stretch of a run with a held snapshot. Times are in milliseconds: of a claim, and
 * from the call of enqueue to the first line of the handler. The oldest view is as many transactions old.
 */
record HeldSample(
    double second,
    boolean held,
    double claimP50,
    double claimP99,
    double startP50,
    double startP99,
    double donePerSecond,
    long waiting,
    long oldestView,
    Map<String, HotTable> tables) {

  /** A table with its indexes, and the rows in it that are gone but not cleaned away. */
  record HotTable(long bytes, long dead) {}
}
