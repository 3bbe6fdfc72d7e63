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
  /** Of a queue that runs few at once. */
  static final String CAPPED = "capped";
  /** Of a queue that starts few in a second. */
  static final String PACED = "paced";
  /** Of a queue that runs one after the other, over all workers. */
  static final String STRICT = "strict";

  /** What runs when the only batch has finished. */
  static final String CALLBACK = "callback";
  /** Of one batch among many. */
  static final String MEMBER = "member";
  /** What runs when one batch among many has finished. */
  static final String AFTERWARDS = "afterwards";
  /** Long over when it comes in, to be purged. */
  static final String OLD = "old";

  /** Jobs of callers have numbers from here, so that they are not taken for the producer's. */
  static final long OF_CALLERS = 1_000_000;

  static final int ATTEMPTS = 4;

  /** Limited work comes in heaps, so that there is more of it than may run. */
  private static final int ROUND = 200;

  private static final int CAPPED_MILLIS = 600;
  private static final int LONGEST_MILLIS = 800;

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
    if (seq % 20 == 10) {
      return of(seq, STRICT, millis / 3, dice < 100 ? 1 : 0);
    }
    if (isWithin(seq, 50, 60)) {
      return of(seq, PACED, millis / 3, 0);
    }
    if (isWithin(seq, 100, 112)) {
      return of(seq, CAPPED, CAPPED_MILLIS, 0);
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

  /** The work with a number in a batch whose jobs mostly take fewer milliseconds than this. */
  static Work ofBatch(long seed, long seq, int below) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_033 + seq);
    int dice = random.nextInt(1000);
    int millis = random.nextInt(below);
    if (dice < 50) {
      return of(seq, FRAGILE, millis, 0);
    }
    if (dice < 100) {
      return of(seq, FLAKY, millis, dice < 53 ? ATTEMPTS : 1);
    }
    // Some outlast the others, so that the last ones end far apart.
    return of(seq, PLAIN, dice < 150 ? Math.min(millis * 12, LONGEST_MILLIS) : millis, 0);
  }

  private static boolean isWithin(long seq, int from, int to) {
    return seq % ROUND >= from && seq % ROUND < to;
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

  /** True when it ends well without a word: it leaves no result. */
  boolean isSilent() {
    return type.equals(MEMBER) || (type.equals(PLAIN) && seq % 2 == 0);
  }

  /** True when it comes from the producer, by itself. */
  boolean isNumbered() {
    return seq < OF_CALLERS;
  }

  /** True when it waits for the job that was enqueued before it. */
  boolean follows() {
    return type.equals(PLAIN) && isNumbered() && seq % 10 == 7;
  }

  /** True when it has an expiry, far beyond the time that it takes. */
  boolean expires() {
    return type.equals(PLAIN) && isNumbered() && seq % 10 == 3;
  }

  /** True when it waits in a queue that has a limit or an order. */
  boolean isLimited() {
    return LimitedQueues.names().contains(type);
  }

  JobRequest request() {
    return withoutKey().idempotencyKey(key());
  }

  /** As a job of a batch, which has no key of its own. */
  JobRequest withoutKey() {
    return Jobs.of(type, this).queue(isLimited() ? type : Defaults.QUEUE).retry(RETRY);
  }
}
