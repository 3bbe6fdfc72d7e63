package io.sluice.server.neighbours;

import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Texts near the largest that the server takes. */
final class LargeJobs {
  static final int MIB = 1 << 20;
  private static final int JOBS = 30;

  private LargeJobs() {}

  static String mebibyte() {
    return "\"" + "ab".repeat(MIB / 2 - 10) + "\"";
  }

  /** The body of a call that enqueues 30 jobs of 1 MiB, which are not due for long. */
  static byte[] batch() {
    String job = "{\"type\":\"large\",\"delay\":\"10h\",\"payload\":" + mebibyte() + "}";
    return Stream.generate(() -> job)
        .limit(JOBS)
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"))
        .getBytes(StandardCharsets.UTF_8);
  }
}
