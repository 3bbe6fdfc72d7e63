package io.sluice.postgres;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Removes lanes that have no jobs: limit keys come and go without end. A lane is closed first, and whoever
 * knows it by heart is told by its next insert, which opens it again or makes another. It is removed the time
 * after next, when every transaction is over that may have put a job into it while it was open: those that
 * were under way when it was closed began to write long before the marker that was set in between.
 */
final class LaneKeeper {
  private static final String DUTY = "lanes";
  private static final Duration EVERY = Duration.ofHours(1);
  private static final int PAGE = 1_000;

  private final Database database;
  private final Duties duties;

  LaneKeeper(Database database) {
    this.database = database;
    this.duties = new Duties(database);
  }

  /** Does it when it is due and nobody else does. */
  void purge() {
    duties.run(DUTY, EVERY, () -> {
      remove();
      close();
    });
  }

  private void remove() {
    long marker = database.run(connection -> {
      try (Call call = database.call(connection, "move-lane-marker")) {
        return call.one(row -> row.getLong("marker"));
      }
    });
    pages("remove-lanes", call -> call.set("marker", marker));
  }

  private void close() {
    pages("close-lanes", call -> call);
  }

  private interface Setting {
    Call on(Call call) throws SQLException;
  }

  /** Runs a statement for all lanes, so many at a time. */
  private void pages(String query, Setting setting) {
    List<Integer> last = List.of(0);
    while (!last.isEmpty()) {
      int after = last.getFirst();
      last = database.run(connection -> {
        try (Call call = database.call(connection, query)) {
          return setting
              .on(call)
              .set("after", after)
              .set("max", PAGE)
              .list(row -> row.getInt("last"));
        }
      });
    }
  }
}
