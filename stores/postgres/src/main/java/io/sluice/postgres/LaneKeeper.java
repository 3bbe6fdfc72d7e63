package io.sluice.postgres;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;

/**
 * Removes lanes that have no jobs: limit keys come and go without end. A lane is closed first. A process that
 * has it in its cache finds out with its next insert, which opens it again or makes another. The lane is
 * removed two rounds later, when every transaction has ended that may have put a job into it while it was open:
 * the marker that is set in between tells which transactions those are.
 */
final class LaneKeeper {
  private static final String DUTY = "lanes";
  private static final Duration EVERY = Duration.ofHours(1);
  /** Each page that closes lanes makes all processes look their lanes up again, so pages are large. */
  private static final int PAGE = 10_000;

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

  /** Runs a statement for all lanes, a page at a time. */
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
