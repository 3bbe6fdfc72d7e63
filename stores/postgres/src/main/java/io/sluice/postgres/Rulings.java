package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.Scope;
import io.sluice.SluiceException;
import java.sql.Connection;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Changes of limits, orders and caps while jobs come and go. The row of what changes is held first, then
 * the version of the rules, and last, where what is there must be counted, the tables of states: in this
 * order everywhere, so that no change and no claim waits for another in a circle.
 */
final class Rulings {
  private static final int TRIES = 5;

  private final Database database;
  private final Catalog catalog;
  private final Runnable changed;

  Rulings(Database database, Catalog catalog, Runnable changed) {
    this.database = database;
    this.catalog = catalog;
    this.changed = changed;
  }

  /** Work that may wait for the state tables, briefly, and again when it waited in vain. */
  <T> T change(Database.Work<T> work) {
    for (int tries = 1; ; tries++) {
      try {
        return database.attempt(false, work);
      } catch (SQLException e) {
        if (!Failures.isPassing(e) && !Failures.isLockTimeout(e)) {
          throw Failures.of(e);
        }
        if (tries == TRIES) {
          throw new SluiceException(
              ErrorCode.PERSISTENCE_FAILURE, "the tables were too busy to count what is there", e);
        }
      }
    }
  }

  /** Says that limits or orders are others from the end of this transaction on. */
  void renew(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "change-rules")) {
      call.update();
    }
  }

  /** Waits until nobody takes, moves or ends a job, and keeps it so. */
  void hold(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "wait-briefly")) {
      call.execute();
    }
    try (Call call = database.call(connection, "hold-states")) {
      call.execute();
    }
  }

  /**
   * Lets what runs count under a limit whose concurrency was another before, null for none. A small one
   * wants a mark on each job. A large one counts them all; but those whose claim did not hold the limit,
   * since there was none, must be there before the first count.
   */
  void follow(Connection connection, Scope scope, @Nullable Integer before, @Nullable Integer now)
      throws SQLException {
    boolean marks = LargeLimits.isSmall(now) && !LargeLimits.isSmall(before);
    if (marks || (before == null && now != null)) {
      hold(connection);
    }
    if (marks) {
      count(connection, scope);
    }
  }

  /** Counts what runs of a scope from now on; nobody may claim meanwhile. */
  void count(Connection connection, Scope scope) throws SQLException {
    try (Call call = database.call(connection, "mark-counted")) {
      call.set("kind", scope.kind().name())
          .set("tenant", scope.tenant())
          .set("name", scope.name())
          .update();
    }
  }

  /** Tells everybody, here and elsewhere. */
  void announce() {
    catalog.forgetQueues();
    changed.run();
  }
}
