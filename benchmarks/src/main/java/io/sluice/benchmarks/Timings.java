package io.sluice.benchmarks;

import java.util.Arrays;

/** Times that were taken since somebody last asked. */
final class Timings {
  /** Times in milliseconds, in order. */
  record Sorted(double[] millis) {
    /** The time that this share of all did not exceed; zero when there was none. */
    double at(double share) {
      return millis.length == 0
          ? 0
          : millis[(int) Math.min(millis.length - 1, Math.floor(millis.length * share))];
    }
  }

  private long[] nanos = new long[1024];
  private int count;

  synchronized void add(long time) {
    if (count == nanos.length) {
      nanos = Arrays.copyOf(nanos, count * 2);
    }
    nanos[count++] = time;
  }

  synchronized Sorted take() {
    double[] millis = new double[count];
    for (int i = 0; i < count; i++) {
      millis[i] = nanos[i] / 1e6;
    }
    count = 0;
    Arrays.sort(millis);
    return new Sorted(millis);
  }
}
