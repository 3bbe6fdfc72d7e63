package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.Scope;
import io.sluice.SluiceException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Changes of limits, orders and caps while jobs come and go.
 *
 * <p>A limit to what runs at once, or an order, must count what runs already, and nobody else waits for that:
 * it is written first, as one whose jobs are not claimed yet. Claims that began before that end within
 * moments; then what runs is marked, and then the limit is in force. When a process dies before the end, the
 * next change of a rule or the next purge goes on.
 *
 * <p>A cap counts what is there while nobody takes, moves or ends a job. It waits for the table locks only
 * briefly each time, because others queue behind a waiting table lock.
 */
final class Rulings {
  private static final Duration LONGEST = Duration.ofSeconds(10);
  private static final Duration LONGEST_CLAIM = Duration.ofSeconds(30);
  private static final Duration PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(200);
  private static final int PAGE = 1_000;

  /** A limit or an order whose jobs are yet to be counted. */
  private record Pending(Scope scope, long version) {}

  private final Database database;
  private final Catalog catalog;
  private final Runnable changed;

  Rulings(Database database, Catalog catalog, Runnable changed) {
    this.database = database;
    this.catalog = catalog;
    this.changed = changed;
  }

  /** Work that may wait for the state tables, a moment, and again when it waited in vain. */
  <T> T change(Database.Work<T> work) {
    long start = System.nanoTime();
    for (int tries = 1; ; tries++) {
      try {
        T result = database.attempt(false, work);
        settle();
        return result;
      } catch (SQLException e) {
        if (!Failures.isPassing(e) && !Failures.isLockTimeout(e)) {
          throw Failures.of(e);
        }
        if (System.nanoTime() - start > LONGEST.toNanos()) {
          throw new SluiceException(
              ErrorCode.PERSISTENCE_FAILURE, "the tables were too busy to count what is there", e);
        }
      }
      LockSupport.parkNanos(Math.min(LONGEST_PAUSE.toNanos(), tries * PAUSE.toNanos()));
    }
  }

  /** Says that limits or orders are others from the end of this transaction on. */
  void renew(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "change-rules")) {
      call.update();
    }
  }

  /** The same, where what runs of a scope must be counted before more of it is claimed. */
  void renewAndCount(Connection connection, Scope scope) throws SQLException {
    renew(connection);
    try (Call call = about(connection, "await-count", scope)) {
      call.update();
    }
  }

  /** Waits until nobody takes, moves or ends a job, and keeps it so. */
  void hold(Connection connection) throws SQLException {
    for (String query : List.of("wait-a-moment", "hold-states")) {
      try (Call call = database.call(connection, query)) {
        call.execute();
      }
    }
  }

  /**
   * True when what runs must be counted under a limit whose concurrency was another before, null for none. A
   * small one wants a mark on each job. A large one counts them all; but those whose claim did not hold the
   * limit, since there was none, must be there before the first count.
   */
  static boolean mustCount(@Nullable Integer before, @Nullable Integer now) {
    boolean marks = LargeLimits.isSmall(now) && !LargeLimits.isSmall(before);
    return marks || (before == null && now != null);
  }

  /** Puts limits and orders in force whose jobs are yet to be counted, also those of other processes. */
  void settle() {
    List<Pending> pending = database.run(connection -> {
      try (Call call = database.call(connection, "awaited-counts")) {
        return call.list(row -> new Pending(
            new Scope(
                Scope.Kind.valueOf(row.getString("kind")),
                row.getString("tenant"),
                row.getString("name")),
            row.getLong("version")));
      }
    });
    if (pending.isEmpty()) {
      return;
    }
    awaitClaims();
    numberOrders();
    pending.forEach(one -> mark(one.scope()));
    database.transact(connection -> {
      renew(connection);
      for (Pending one : pending) {
        try (Call call = about(connection, "end-count", one.scope())) {
          call.set("version", one.version()).update();
        }
      }
      return true;
    });
    announce();
  }

  /** Numbers the jobs of ordered queues that have no number: they came in before the order was known. */
  void numberOrders() {
    database.run(connection -> {
      try (Call call = database.call(connection, "number-orders")) {
        return call.update();
      }
    });
  }

  /** Waits until all claims are over that are under way now. */
  private void awaitClaims() {
    long start = System.nanoTime();
    Set<String> before = new HashSet<>(claims());
    while (!before.isEmpty()) {
      if (System.nanoTime() - start > LONGEST_CLAIM.toNanos()) {
        throw new SluiceException(
            ErrorCode.PERSISTENCE_FAILURE,
            "claims from before the change have not ended; it is in force when they have");
      }
      LockSupport.parkNanos(PAUSE.toNanos());
      before.retainAll(claims());
    }
  }

  private List<String> claims() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "claims-under-way")) {
        return call.set("schema", database.sql().schema()).list(row -> row.getString("claim"));
      }
    });
  }

  /** Counts what runs of a scope from now on; nobody claims any of it meanwhile. */
  private void mark(Scope scope) {
    long start = System.nanoTime();
    boolean counted = false;
    while (!counted) {
      int marked = database.run(connection -> {
        try (Call call = about(connection, "mark-counted", scope)) {
          return call.set("max", PAGE).update();
        }
      });
      counted = marked < PAGE && isCounted(scope);
      if (!counted && System.nanoTime() - start > LONGEST_CLAIM.toNanos()) {
        throw new SluiceException(
            ErrorCode.PERSISTENCE_FAILURE,
            "jobs that are just being ended cannot be counted; the change is in force when they are");
      }
      if (!counted && marked == 0) {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  private boolean isCounted(Scope scope) {
    return database.run(connection -> {
      try (Call call = about(connection, "is-counted", scope)) {
        return call.one(row -> row.getBoolean("counted"));
      }
    });
  }

  private Call about(Connection connection, String query, Scope scope) throws SQLException {
    return database
        .call(connection, query)
        .set("kind", scope.kind().name())
        .set("tenant", scope.tenant())
        .set("name", scope.name());
  }

  /** Tells everybody, here and elsewhere. */
  void announce() {
    catalog.forgetQueues();
    changed.run();
  }
}
