package io.sluice.postgres;

import java.time.Duration;
import java.util.List;

/**
 * Puts off the end of finished jobs and batches that others still wait for, or will want to know the results
 * of. It starts from the jobs that are not over, so that its cost does not depend on how many are; and one
 * process does it in an hour, for what is kept is kept for a day more at least.
 */
final class Predecessors {
  private static final String DUTY = "keep-needed";
  private static final Duration EVERY = Duration.ofHours(1);
  private static final int BLOCKS = 64;

  private final Database database;
  private final Duties duties;

  Predecessors(Database database) {
    this.database = database;
    this.duties = new Duties(database);
  }

  /** Does it when it is due and nobody else does. */
  void keep(int today) {
    duties.run(DUTY, EVERY, () -> {
      for (String table : List.of("later", "ready", "running")) {
        keep(table, today);
      }
    });
  }

  /** True while another process is at it, which what is to go must wait for. */
  boolean areBeingKept() {
    return duties.isUnderWay(DUTY);
  }

  private void keep(String table, int today) {
    int blocks = database.run(connection -> Blocks.of(database, connection, table));
    for (int from = 0; from < blocks; from += BLOCKS) {
      keep(table, today, from);
    }
  }

  private void keep(String table, int today, int from) {
    String linked = table.equals("later") ? "s.policy is not null" : "false";
    Query query = database.sql().query("keep-needed").about("table", table).about("linked", linked);
    database.run(connection -> {
      try (Call call = database.call(connection, query)) {
        call.set("from", Blocks.at(from))
            .set("to", Blocks.at(from + BLOCKS))
            .set("today", today)
            .execute();
        return true;
      }
    });
  }
}
