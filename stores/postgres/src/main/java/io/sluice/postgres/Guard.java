package io.sluice.postgres;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Sets up each transaction on connections whose sessions cannot be set up: those of a caller's pool, and
 * those behind a proxy that pools transactions. Such a transaction begins with one statement that makes it
 * READ COMMITTED and limits how long a statement may take and how long the client may be silent.
 */
public record Guard(Kind kind, Duration timeout, Duration lockTimeout) {
  enum Kind {
    /** The session is set up as it should be. */
    NONE,
    /** Transactions are set up; a statement alone needs no more than its own time limit. */
    TRANSACTIONS,
    /** Everything is a transaction that is set up, and planned with indexes only. */
    ALL_BY_INDEX
  }

  /** For connections with {@link SessionOptions}, and for those whose statements take as long as they take. */
  public static final Guard NONE = new Guard(Kind.NONE, Duration.ZERO, Duration.ZERO);

  public static Guard ofTransactions(Duration timeout) {
    return new Guard(Kind.TRANSACTIONS, timeout, Duration.ZERO);
  }

  static Guard byIndex(Duration timeout) {
    return byIndex(timeout, Duration.ZERO);
  }

  /** One whose statements wait for a lock for so long at most; zero for as long as a statement may take. */
  static Guard byIndex(Duration timeout, Duration lockTimeout) {
    return new Guard(Kind.ALL_BY_INDEX, timeout, lockTimeout);
  }

  Guard untimed() {
    return new Guard(kind, Duration.ZERO, lockTimeout);
  }

  /** The statement that begins such work, null where it needs none. */
  @Nullable
  String begin(boolean autoCommit) {
    return switch (kind) {
      case NONE -> null;
      case TRANSACTIONS -> autoCommit ? null : "begin-guarded";
      case ALL_BY_INDEX -> "begin-by-index";
    };
  }

  /** A time limit as a setting of PostgreSQL. */
  private static String millis(Duration time) {
    return String.valueOf(time.toMillis());
  }

  /** The statement that begins work, with the limits in it. */
  Query limited(Query begin) {
    return begin.about("limit", millis(timeout)).about("lock", millis(lockTimeout));
  }

  /** How long JDBC itself must limit a statement; zero where the connection does. */
  int timeoutSeconds() {
    return timeout.isZero() ? 0 : (int) Math.max(1, timeout.toSeconds());
  }
}
