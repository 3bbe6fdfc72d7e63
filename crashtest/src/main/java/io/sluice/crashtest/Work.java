package io.sluice.crashtest;

import io.sluice.Defaults;
import io.sluice.JobRequest;
import io.sluice.Jobs;
import io.sluice.RetryPolicy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.zip.CRC32;

/**
 * The payload of a job: its number, what its handler shall do, and a checksum of all that. {@code
 * failures} attempts throw before one succeeds.
 */
record Work(long seq, String type, int millis, int failures, long checksum) {
  static final String PLAIN = "plain";
  /** Handled by one worker only, one at a time, in the order of the numbers. */
  static final String FIFO = "fifo";
  /** Must not run twice. */
  static final String FRAGILE = "fragile";

  static final String FLAKY = "flaky";
  /** Takes longer than a lease. */
  static final String SLOW = "slow";

  static final int ATTEMPTS = 4;

  private static final RetryPolicy RETRY = Defaults.RETRY
      .withMaxAttempts(ATTEMPTS)
      .withDelays(Duration.ofMillis(50), 2, Duration.ofMillis(500));

  /** The work with a number in a run with this seed: always the same. */
  static Work of(long seed, long seq, Duration lease) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + seq);
    int dice = random.nextInt(1000);
    int millis = random.nextInt(51);
    if (seq % 20 == 0) {
      return of(seq, FIFO, millis / 3, 0);
    }
    if (dice < 10) {
      return of(seq, SLOW, (int) (lease.toMillis() * 13 / 10), 0);
    }
    if (dice < 100) {
      return of(seq, FRAGILE, millis, 0);
    }
    if (dice < 200) {
      boolean hopeless = random.nextInt(20) == 0;
      return of(seq, FLAKY, millis, hopeless ? ATTEMPTS : 1 + random.nextInt(ATTEMPTS - 1));
    }
    // Some last long enough that a kill finds them under way.
    return of(seq, PLAIN, dice < 300 ? millis * 12 : millis, 0);
  }

  static Work of(long seq, String type, int millis, int failures) {
    return new Work(seq, type, millis, failures, checksum(seq, type, millis, failures));
  }

  private static long checksum(long seq, String type, int millis, int failures) {
    CRC32 sum = new CRC32();
    String text = seq + " " + type + " " + millis + " " + failures;
    sum.update(text.getBytes(StandardCharsets.UTF_8));
    return sum.getValue();
  }

  boolean isIntact() {
    return checksum == checksum(seq, type, millis, failures);
  }

  String key() {
    return "job-" + seq;
  }

  /** True when it ends well if it is left in peace. */
  boolean canSucceed() {
    return failures < ATTEMPTS;
  }

  JobRequest request() {
    return Jobs.of(type, this).idempotencyKey(key()).retry(RETRY);
  }
}
