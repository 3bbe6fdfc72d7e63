package io.sluice.postgres;

import io.sluice.store.Standing;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** Where ready jobs stand. */
final class Standings {
  private final Database database;

  Standings(Database database) {
    this.database = database;
  }

  Standing of(UUID job, int most) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "standing")) {
        return call
            .set("id", job)
            .set("most", most)
            .set("ends", Standing.MOST_ENDED)
            .list(Standings::read)
            .stream()
            .findFirst()
            .orElse(Standing.NONE);
      }
    });
  }

  private static Standing read(ResultSet row) throws SQLException {
    int ended = row.getInt("ended");
    UUID first = row.getObject("first", UUID.class);
    boolean leads = first == null || first.equals(row.getObject("id", UUID.class));
    return new Standing(row.getLong("ahead"), ended, within(row, ended), leads ? null : first);
  }

  private static Duration within(ResultSet row, int ended) throws SQLException {
    boolean all = ended < Standing.MOST_ENDED;
    Instant since = Times.readOrNull(row, all ? "first_created" : "first_end");
    if (since == null) {
      return Standing.LATELY;
    }
    Instant now = Times.read(row, "now");
    return all ? Standing.seen(since, now) : Duration.between(since, now);
  }
}
