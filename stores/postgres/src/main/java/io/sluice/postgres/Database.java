package io.sluice.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way to the database: borrows a connection for one piece of work, gives it back, repeats work
 * that lost a race (deadlock, serialization), and turns SQL errors into Sluice's own.
 */
public final class Database {
  /** Some statements on one connection. */
  public interface Work<T> {
    T on(Connection connection) throws SQLException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(Database.class);
  private static final int TRIES = 5;

  private final DataSource dataSource;
  private final Sql sql;
  private final @Nullable InstantSource clock;
  private final Guard guard;

  Database(DataSource dataSource, Sql sql, @Nullable InstantSource clock, Guard guard) {
    this.dataSource = dataSource;
    this.sql = sql;
    this.clock = clock;
    this.guard = guard;
  }

  /**
   * A database of tables that stand beside the store's, in the same schema. The guard is {@link
   * Guard#NONE} where the connections come with {@link SessionOptions}.
   */
  public Database(DataSource dataSource, Sql sql, Guard guard) {
    this(dataSource, sql, null, guard);
  }

  Sql sql() {
    return sql;
  }

  /** The same without time limits, for work that sets its own. */
  Database untimed() {
    return new Database(dataSource, sql, clock, guard.untimed());
  }

  /** What tests say the time is; null leaves it to the database. */
  @Nullable
  Instant now() {
    return clock == null ? null : clock.instant();
  }

  public Call call(Connection connection, String query) throws SQLException {
    return call(connection, sql.query(query));
  }

  Call call(Connection connection, Query query) throws SQLException {
    Call call = new Call(connection, query);
    try {
      if (guard.timeoutSeconds() > 0) {
        call.timeout(guard.timeoutSeconds());
      }
      return query.parameters().contains("now") ? call.set("now", now()) : call;
    } catch (SQLException | RuntimeException e) {
      call.close();
      throw e;
    }
  }

  /** Runs work in which every statement is a transaction of its own. */
  public <T> T run(Work<T> work) {
    return repeat(work, true);
  }

  /** Runs work as one transaction. */
  public <T> T transact(Work<T> work) {
    return repeat(work, false);
  }

  /** As {@link #transact}, where a statement may take so long, whatever limit others have. */
  <T> T patiently(Duration longest, Work<T> work) {
    return transact(connection -> {
      int millis = (int) longest.toMillis();
      int before = connection.getNetworkTimeout();
      connection.setNetworkTimeout(Runnable::run, before == 0 ? 0 : before + millis);
      try {
        try (Call call = call(connection, "take-time")) {
          call.set("millis", millis).execute();
        }
        return work.on(connection);
      } finally {
        if (!connection.isClosed()) {
          connection.setNetworkTimeout(Runnable::run, before);
        }
      }
    });
  }

  /** As {@link #transact}, once, and with the errors of the database left as they are. */
  <T> T attempt(boolean autoCommit, Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      String begin = guard.begin(autoCommit);
      if (begin == null) {
        return within(connection, autoCommit, work);
      }
      return within(connection, false, open -> {
        begin(open, begin);
        return work.on(open);
      });
    }
  }

  private void begin(Connection connection, String statement) throws SQLException {
    try (Call call = call(connection, guard.limited(sql.query(statement)))) {
      call.execute();
    } catch (SQLException e) {
      if (Failures.isTooLate(e)) {
        throw Isolation.refusal("this one had begun as another when the pool lent it");
      }
      throw e;
    }
  }

  private <T> T repeat(Work<T> work, boolean autoCommit) {
    for (int tries = 1; ; tries++) {
      try {
        return attempt(autoCommit, work);
      } catch (SQLException e) {
        if (tries >= TRIES || !Failures.isPassing(e)) {
          throw Failures.of(e);
        }
      }
    }
  }

  private static <T> T within(Connection connection, boolean autoCommit, Work<T> work)
      throws SQLException {
    boolean before = connection.getAutoCommit();
    if (before != autoCommit) {
      connection.setAutoCommit(autoCommit);
    }
    boolean done = false;
    try {
      T result = work.on(connection);
      if (!autoCommit) {
        connection.commit();
      }
      done = true;
      return result;
    } finally {
      if (!done && !autoCommit) {
        undo(connection);
      }
      if (before != autoCommit && !connection.isClosed()) {
        connection.setAutoCommit(before);
      }
    }
  }

  private static void undo(Connection connection) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      // The connection is broken; what broke it is already on its way to the caller.
      LOG.debug("Rollback failed", e);
    }
  }
}
