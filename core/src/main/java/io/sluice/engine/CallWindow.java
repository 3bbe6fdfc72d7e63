package io.sluice.engine;

import io.sluice.Breaker;
import java.time.Duration;
import java.util.Arrays;

/** The calls of the last so long, in a ring of ten parts of which the oldest is forgotten as a whole. */
final class CallWindow {
  private static final int PARTS = 10;

  private final long width;
  private final long[] numbers = new long[PARTS];
  private final long[] calls = new long[PARTS];
  private final long[] failures = new long[PARTS];

  CallWindow(Duration window) {
    this.width = Math.max(1, window.toNanos() / PARTS);
    Arrays.fill(numbers, Long.MIN_VALUE);
  }

  void add(boolean failed, long now) {
    long number = Math.floorDiv(now, width);
    int at = Math.floorMod(number, PARTS);
    if (numbers[at] != number) {
      numbers[at] = number;
      calls[at] = 0;
      failures[at] = 0;
    }
    calls[at]++;
    failures[at] += failed ? 1 : 0;
  }

  Breaker.Calls calls(long now) {
    long number = Math.floorDiv(now, width);
    long total = 0;
    long failed = 0;
    for (int at = 0; at < PARTS; at++) {
      if (numbers[at] > number - PARTS && numbers[at] <= number) {
        total += calls[at];
        failed += failures[at];
      }
    }
    return new Breaker.Calls(total, failed);
  }
}
