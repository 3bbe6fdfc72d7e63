package io.sluice.postgres;

import io.sluice.store.TenantCap;
import io.sluice.store.TenantSize;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The caps of tenants. What a capped tenant takes is counted in one row that every insert of it holds;
 * what ends is counted by queue, as for capped queues, so that nobody who ends jobs waits for that row.
 */
final class TenantCaps {
  private final Database database;

  TenantCaps(Database database) {
    this.database = database;
  }

  /** Sets or lifts a cap, in a transaction that may have to wait for others. */
  boolean set(Connection connection, String tenant, @Nullable TenantCap cap) throws SQLException {
    if (cap == null) {
      hold(database, connection, "wait-briefly", "hold-queue-table");
      update(connection, "uncap-queues", tenant);
      update(connection, "drop-cap", tenant);
      return true;
    }
    if (write(connection, "change-cap", tenant, cap) > 0) {
      return true;
    }
    hold(database, connection, "wait-briefly", "hold-queue-table");
    // Somebody else may have capped it while this waited.
    if (write(connection, "change-cap", tenant, cap) == 0) {
      hold(database, connection, "hold-states");
      update(connection, "cap-queues", tenant);
      write(connection, "make-cap", tenant, cap);
    }
    return true;
  }

  List<TenantSize> sizes(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "tenant-sizes")) {
      return call.list(row -> new TenantSize(
          row.getString("tenant"),
          row.getLong("unfinished"),
          new TenantCap(row.getLong("max_size"), QueueRow.marks(row)),
          row.getLong("ended")));
    }
  }

  /** Has a queue that was just saved counted, when its tenant is capped. */
  static void follow(Database database, Connection connection, int queue) throws SQLException {
    try (Call call = database.call(connection, "follow-cap")) {
      call.set("queue", queue).one(row -> row.getBoolean("capped"));
    }
  }

  static void hold(Database database, Connection connection, String... queries)
      throws SQLException {
    for (String query : queries) {
      try (Call call = database.call(connection, query)) {
        call.execute();
      }
    }
  }

  private int write(Connection connection, String query, String tenant, TenantCap cap)
      throws SQLException {
    try (Call call = database.call(connection, query)) {
      return QueueRow.write(call, cap.levels())
          .set("tenant", tenant)
          .set("max_size", cap.maxSize())
          .update();
    }
  }

  private void update(Connection connection, String query, String tenant) throws SQLException {
    try (Call call = database.call(connection, query)) {
      call.set("tenant", tenant).update();
    }
  }
}
