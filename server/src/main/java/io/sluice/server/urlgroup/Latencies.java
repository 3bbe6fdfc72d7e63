package io.sluice.server.urlgroup;

import java.util.OptionalDouble;

/**
 * Counts of times in buckets that grow by a ninth: the first is for less than a millisecond, the last
 * for all beyond about an hour. So a percentile is right to within nine parts of a hundred.
 */
final class Latencies {
  static final int BUCKETS = 178;

  private static final double PER_OCTAVE = 8;

  private final long[] counts = new long[BUCKETS];
  private long total;

  static int bucket(long millis) {
    if (millis < 1) {
      return 0;
    }
    int bucket = 1 + (int) Math.floor(PER_OCTAVE * Math.log((double) millis) / Math.log(2) + 1e-9);
    return Math.min(BUCKETS - 1, bucket);
  }

  /** The longest time that belongs into a bucket, in milliseconds. */
  private static double end(int bucket) {
    return Math.pow(2, bucket / PER_OCTAVE);
  }

  void add(long millis) {
    add(bucket(millis), 1);
  }

  void add(int bucket, long times) {
    counts[bucket] += times;
    total += times;
  }

  /** Milliseconds that this share of all times do not exceed, to one decimal; none where there are none. */
  OptionalDouble percentile(double share) {
    if (total == 0) {
      return OptionalDouble.empty();
    }
    long rank = (long) Math.ceil(share * total);
    long seen = 0;
    int bucket = 0;
    while (bucket < BUCKETS - 1 && seen + counts[bucket] < rank) {
      seen += counts[bucket++];
    }
    return OptionalDouble.of(Math.round(end(bucket) * 10) / 10.0);
  }

  /** The counts as an array of PostgreSQL, without the zeros at its end. */
  String text() {
    int length = BUCKETS;
    while (length > 0 && counts[length - 1] == 0) {
      length--;
    }
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < length; i++) {
      text.append(i == 0 ? "" : ",").append(counts[i]);
    }
    return text.append('}').toString();
  }
}
