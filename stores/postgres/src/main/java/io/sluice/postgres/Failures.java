package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.store.LockTimeout;
import java.net.UnknownHostException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.jspecify.annotations.Nullable;

/** What an error of the database means: the one place that reads SQL states. */
final class Failures {
  private static final String SERIALIZATION = "40001";
  private static final String DEADLOCK = "40P01";
  private static final String NO_PARTITION = "23514";
  private static final String ACTIVE_TRANSACTION = "25001";
  private static final String LOCK_NOT_AVAILABLE = "55P03";
  private static final String QUERY_CANCELED = "57014";

  private Failures() {}

  static SluiceException of(SQLException e) {
    if (isData(e)) {
      return new SluiceException(
          ErrorCode.INVALID_MESSAGE, "the database refuses the job: " + firstLine(e), e);
    }
    if (isLockTimeout(e)) {
      return new LockTimeout("the database did not confirm: " + firstLine(e), e);
    }
    String problem =
        neverArrived(e) ? "the database cannot be reached: " : "the database did not confirm: ";
    return new SluiceException(ErrorCode.PERSISTENCE_FAILURE, problem + reason(deepest(e)), e);
  }

  /** True when there was not even a connection, so that nothing can have been written. */
  private static boolean neverArrived(SQLException e) {
    return e instanceof SQLTransientConnectionException || isRefusal(e);
  }

  /** True when the address, the user or the database is wrong, or nobody listens there. */
  private static boolean isRefusal(SQLException e) {
    String state = state(e);
    return state.equals("08001") || state.startsWith("28") || state.equals("3D000");
  }

  /** What lies at the bottom: a pool says only that it has no connection, its cause says why. */
  private static SQLException deepest(SQLException e) {
    return e.getCause() instanceof SQLException cause ? deepest(cause) : e;
  }

  /** True when the same call may succeed at once, and nothing of it was written. */
  static boolean isPassing(SQLException e) {
    String state = state(e);
    return isSerialization(e) || state.equals(DEADLOCK) || state.equals(NO_PARTITION);
  }

  /** True when a row is not where the statement found it; READ COMMITTED meets that with rows that change partition. */
  static boolean isSerialization(SQLException e) {
    return state(e).equals(SERIALIZATION);
  }

  /** True when a transaction was to be set up in which statements ran before. */
  static boolean isTooLate(SQLException e) {
    return state(e).equals(ACTIVE_TRANSACTION);
  }

  /** True when a statement was ended because it took longer than it may. */
  static boolean isOutOfTime(SQLException e) {
    return state(e).equals(QUERY_CANCELED);
  }

  static boolean isLockTimeout(SQLException e) {
    return state(e).equals(LOCK_NOT_AVAILABLE);
  }

  /** True when what was to be written is at fault. */
  static boolean isData(SQLException e) {
    String state = state(e);
    boolean broken = state.startsWith("23") && !state.equals(NO_PARTITION);
    return broken || state.startsWith("22") || state.startsWith("54");
  }

  private static String state(SQLException e) {
    @Nullable String state = e.getSQLState();
    return state == null ? "" : state;
  }

  /** The driver says of a host without an address no more than that it did not work. */
  private static String reason(SQLException e) {
    return e.getCause() instanceof UnknownHostException host
        ? "unknown host " + host.getMessage()
        : firstLine(e);
  }

  private static String firstLine(SQLException e) {
    String message = e.getMessage();
    return message == null ? state(e) : message.lines().findFirst().orElse("");
  }
}
