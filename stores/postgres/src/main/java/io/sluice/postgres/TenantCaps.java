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
  private final Rulings rulings;

  TenantCaps(Database database, Rulings rulings) {
    this.database = database;
    this.rulings = rulings;
  }

  /** Sets or lifts a cap, in a transaction that may have to wait for others. */
  boolean set(Connection connection, String tenant, @Nullable TenantCap cap) throws SQLException {
    if (cap == null) {
      holdQueues(connection);
      update(connection, "uncap-queues", tenant);
      update(connection, "drop-cap", tenant);
      return true;
    }
    if (write(connection, "change-cap", tenant, cap) > 0) {
      return true;
    }
    holdQueues(connection);
    // Somebody else may have capped it while this waited.
    if (write(connection, "change-cap", tenant, cap) == 0) {
      update(connection, "cap-queues", tenant);
      rulings.hold(connection);
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
  void follow(Connection connection, int queue) throws SQLException {
    try (Call call = database.call(connection, "follow-cap")) {
      call.set("queue", queue).one(row -> row.getBoolean("capped"));
    }
  }

  /** Waits until nobody makes or changes a queue, and keeps it so. */
  private void holdQueues(Connection connection) throws SQLException {
    for (String query : List.of("wait-briefly", "hold-queue-table")) {
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
