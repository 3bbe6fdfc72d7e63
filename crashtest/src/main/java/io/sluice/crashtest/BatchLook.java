package io.sluice.crashtest;

import io.sluice.BatchRecord;
import io.sluice.postgres.PostgresStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** The batches among other jobs, as they stand at the end. */
final class BatchLook {
  private BatchLook() {}

  /** Writes down what the store says of each. */
  static void write(Server server, Journal journal) throws SQLException {
    List<UUID> ids = ids(server);
    try (PostgresStore store = PostgresStore.connect(server.url())) {
      store.open();
      for (UUID id : ids) {
        BatchRecord batch = store.links().find(id).orElseThrow();
        if (BatchPlan.isName(batch.name())) {
          journal.write(
              new Entry.BatchSeen(Clock.now(), batch.name(), batch.isOver(), batch.counts()));
        }
      }
    }
  }

  private static List<UUID> ids(Server server) throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery("select id from sluice.batch order by id")) {
      List<UUID> ids = new ArrayList<>();
      while (result.next()) {
        ids.add(result.getObject(1, UUID.class));
      }
      return ids;
    }
  }
}
