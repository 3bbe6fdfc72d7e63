package io.sluice.benchmarks;

import java.util.ArrayList;
import java.util.List;

/** Times that were taken since somebody last asked. */
final class Timings {
  /** Times in milliseconds, in order. */
  record Sorted(List<Double> millis) {
    /** The time that this share of all did not exceed; zero when there was none. */
    double at(double share) {
      int index = (int) Math.min(millis.size() - 1, Math.floor(millis.size() * share));
      return millis.isEmpty() ? 0 : millis.get(index);
    }
  }

  private final List<Long> nanos = new ArrayList<>();

  synchronized void add(long time) {
    nanos.add(time);
  }

  synchronized Sorted take() {
    Sorted sorted = new Sorted(nanos.stream().sorted().map(time -> time / 1e6).toList());
    nanos.clear();
    return sorted;
  }
}
