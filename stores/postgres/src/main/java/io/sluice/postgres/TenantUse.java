package io.sluice.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** How much tenants have, for quotas: counted now and then, so that no enqueue has to count. */
final class TenantUse {
  /** Jobs in more blocks are sampled: a look reads no more than these, however many are kept. */
  private static final long MOST_BLOCKS = 4_096;

  private final Database database;

  TenantUse(Database database) {
    this.database = database;
  }

  Map<String, Long> crowded(long lanes) {
    return database.run(connection -> {
      Map<String, Long> crowded = new HashMap<>();
      try (Call call = database.call(connection, "crowded-tenants")) {
        call.set("least", lanes)
            .each(row -> crowded.put(row.getString("tenant"), row.getLong("lanes")));
      }
      return crowded;
    });
  }

  Map<String, Long> bytes(Set<String> tenants) {
    return database.run(connection -> {
      Map<String, Long> bytes = new HashMap<>();
      try (Call call = database.call(connection, "bytes-of-tenants").plannedAnew()) {
        call.set("tenants", "text", tenants.toArray(String[]::new))
            .setOrNull("percent", (Double) percent(connection))
            .each(row -> bytes.put(row.getString("tenant"), row.getLong("bytes")));
      }
      return bytes;
    });
  }

  private double percent(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "blocks-of-jobs")) {
      long blocks = call.set("schema", database.sql().schema()).one(row -> row.getLong("blocks"));
      return blocks <= MOST_BLOCKS ? 100 : 100.0 * MOST_BLOCKS / blocks;
    }
  }
}
