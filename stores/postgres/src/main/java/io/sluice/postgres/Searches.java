package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.SluiceException;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Bounds on searches: lists for which the jobs themselves must be read, because they are narrowed by text,
 * metadata or time. Each may read all jobs of its tenant, so a tenant makes only a few at a time, and all
 * tenants together leave some connections for other reads.
 */
final class Searches {
  static final int AT_ONCE = 4;
  static final int OF_A_TENANT = 2;
  static final Duration LONGEST = Duration.ofSeconds(3);
  /** Most searches end within milliseconds, so a short wait is better than a refusal. */
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

  private final Duration longest;
  private final Duration longestWait;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition ended = lock.newCondition();
  private final Map<String, Integer> running = new HashMap<>();
  private int all;

  /** At most as long as any statement may take. */
  static Searches of(PostgresStoreBuilder settings) {
    Duration search = settings.searchTimeout;
    Duration statement = settings.statementTimeout;
    return new Searches(statement.compareTo(search) < 0 ? statement : search, LONGEST_WAIT);
  }

  Searches(Duration longest, Duration longestWait) {
    this.longest = longest;
    this.longestWait = longestWait;
  }

  /** The time for one statement of a search. */
  Duration longest() {
    return longest;
  }

  /** Runs a search when there is room for it; throws RATE_LIMITED when there is none within a second. */
  <T> T run(JobFilter filter, Supplier<T> search) {
    String tenant = filter.tenant() == null ? "" : filter.tenant();
    enter(tenant);
    try {
      return search.get();
    } finally {
      leave(tenant);
    }
  }

  private void enter(String tenant) {
    lock.lock();
    try {
      long left = longestWait.toNanos();
      while (all >= AT_ONCE || running.getOrDefault(tenant, 0) >= OF_A_TENANT) {
        if (left <= 0) {
          throw busy(running.getOrDefault(tenant, 0));
        }
        left = ended.awaitNanos(left);
      }
      all++;
      running.merge(tenant, 1, Integer::sum);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw busy(OF_A_TENANT);
    } finally {
      lock.unlock();
    }
  }

  private void leave(String tenant) {
    lock.lock();
    try {
      all--;
      running.computeIfPresent(tenant, (name, searches) -> searches > 1 ? searches - 1 : null);
      ended.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private SluiceException busy(int own) {
    String whose = own >= OF_A_TENANT ? "the tenant makes " + own : "others make " + AT_ONCE;
    return SluiceException.later(
        ErrorCode.RATE_LIMITED, whose + " searches already; try again in a moment", longest);
  }

  /** The refusal of a search whose statement was ended; it names what was searched by. */
  SluiceException tookTooLong(JobFilter filter) {
    String field = filter.text() != null
        ? "q"
        : filter.metadata().keySet().stream()
            .sorted()
            .findFirst()
            .map("metadata."::concat)
            .orElse(filter.from() != null ? "from" : "to");
    return SluiceException.invalid(
        field,
        "took longer than " + seconds()
            + " s to search by: narrow the list by queue, type or state, or with a later from");
  }

  private String seconds() {
    return BigDecimal.valueOf(longest.toMillis(), 3).stripTrailingZeros().toPlainString();
  }
}
