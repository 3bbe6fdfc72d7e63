package io.sluice.postgres;

import io.sluice.store.Promotion;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes due work ready: by its time, or lane by lane when more is due than one call may move. */
final class Promoter {
  /** What was moved, and the lanes that it is in. */
  record Promoted(Promotion promotion, Set<Integer> lanes) {}

  private record Due(long jobs, @Nullable Duration untilNext) {}

  private final Database database;

  Promoter(Database database) {
    this.database = database;
  }

  Promoted promote(int max) {
    Set<Integer> lanes = new HashSet<>();
    Promotion promotion = database.run(connection -> {
      lanes.clear();
      Due due = due(connection, max);
      if (due.jobs() == 0) {
        return new Promotion(0, due.untilNext());
      }
      int moved = due.jobs() > max ? move(connection, "promote-by-lane", max, lanes) : 0;
      if (moved < max) {
        // Lanes with less than their share leave room for the others.
        moved += move(connection, "promote", max - moved, lanes);
      }
      if (moved == 0) {
        return new Promotion(0, due.untilNext(), true);
      }
      return new Promotion(moved, due.jobs() > moved ? Duration.ZERO : due.untilNext());
    });
    return new Promoted(promotion, lanes);
  }

  private Due due(Connection connection, int max) throws SQLException {
    try (Call call = database.call(connection, "due")) {
      return call.set("max", max).one(row -> {
        long jobs = row.getLong("due");
        long micros = row.getLong("until_next");
        return new Due(jobs, row.wasNull() ? null : Duration.of(micros, ChronoUnit.MICROS));
      });
    }
  }

  private int move(Connection connection, String query, int max, Set<Integer> lanes)
      throws SQLException {
    try (Call call = database.call(connection, query)) {
      return call.set("max", max).one(row -> {
        lanes.addAll(List.of((Integer[]) row.getArray("lanes").getArray()));
        return row.getInt("moved");
      });
    }
  }
}
