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
    Instant oldest = Times.readOrNull(row, "first_end");
    Duration within = oldest == null || ended < Standing.MOST_ENDED
        ? Standing.LATELY
        : Duration.between(oldest, Times.read(row, "now"));
    UUID first = row.getObject("first", UUID.class);
    boolean leads = first == null || first.equals(row.getObject("id", UUID.class));
    return new Standing(row.getLong("ahead"), ended, within, leads ? null : first);
  }
}
