package io.sluice.server.quota;

import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * Holds tenants to their quotas of named things, exactly: a call that makes one holds the row of the tenant
 * until it is there, so that two never take the same room.
 */
public final class QuotaGate {
  private final Database database;

  public QuotaGate(Database database) {
    this.database = database;
  }

  /** The room of a tenant; others who ask for room of it wait until this transaction has ended. */
  public Room room(Connection connection, String tenant, Quota quota) throws SQLException {
    try (Call call = database.call(connection, "hold-quotas")) {
      Quotas quotas =
          call.set("name", tenant).list(Quotas::read).stream().findFirst().orElse(Quotas.NONE);
      return new Room(quota, quotas.of(quota));
    }
  }

  /** Throws QUOTA_EXCEEDED in a transaction that is to make one more URL group. */
  public void requireUrlGroup(Connection connection, String tenant) throws SQLException {
    require(connection, tenant, Quota.URL_GROUPS, "count-url-groups");
  }

  /** Throws QUOTA_EXCEEDED in a transaction that is to make one more API key. */
  public void requireKey(Connection connection, String tenant) throws SQLException {
    require(connection, tenant, Quota.KEYS, "count-keys");
  }

  private void require(Connection connection, String tenant, Quota quota, String counting)
      throws SQLException {
    Room room = room(connection, tenant, quota);
    if (room.most() != null) {
      try (Call call = database.call(connection, counting)) {
        long have = call.set("tenant", tenant).one(row -> row.getLong("things"));
        room.require(() -> have);
      }
    }
  }
}
