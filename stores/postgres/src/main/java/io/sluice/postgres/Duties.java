package io.sluice.postgres;

import java.time.Duration;

/** What one process does for all, no more often than now and then. */
final class Duties {
  private final Database database;

  Duties(Database database) {
    this.database = database;
  }

  /** Does something, unless anybody began it less than so long ago. */
  void run(String name, Duration every, Runnable duty) {
    if (begins(name, every)) {
      try {
        duty.run();
      } finally {
        end(name);
      }
    }
  }

  private boolean begins(String name, Duration every) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "begin-duty")) {
        return !call.set("name", name)
            .set("every", Times.micros(every))
            .list(row -> row.getString("name"))
            .isEmpty();
      }
    });
  }

  private void end(String name) {
    database.run(connection -> {
      try (Call call = database.call(connection, "end-duty")) {
        return call.set("name", name).update();
      }
    });
  }

  boolean isUnderWay(String name) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "duty-under-way")) {
        return call.set("name", name).one(row -> row.getBoolean("yes"));
      }
    });
  }
}
