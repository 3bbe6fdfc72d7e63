package io.sluice.server.queue;

import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.server.quota.Quota;
import io.sluice.server.quota.QuotaGate;
import io.sluice.server.quota.Room;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.function.Supplier;

/** Lets changes of one thing happen one after the other, over all instances of the server. */
public final class Turns {
  private final Database database;
  private final QuotaGate quotas;

  public Turns(Database database) {
    this.database = database;
    this.quotas = new QuotaGate(database);
  }

  /**
   * As {@link #inTurn}, for work that may make one more of a thing that has a quota: nobody else makes
   * one of the tenant meanwhile.
   */
  public <T> T making(String tenant, String name, Quota quota, Function<Room, T> work) {
    return database.transact(connection -> {
      await(connection, tenant, name);
      return work.apply(quotas.room(connection, tenant, quota));
    });
  }

  /** Does the work when nobody else changes the thing, and keeps others waiting until it is done. */
  public <T> T inTurn(String tenant, String name, Supplier<T> work) {
    return database.transact(connection -> {
      await(connection, tenant, name);
      return work.get();
    });
  }

  private void await(Connection connection, String tenant, String name) throws SQLException {
    try (Call call = database.call(connection, "wait-for-turn")) {
      call.set("place", "queue of " + tenant).set("name", name).execute();
    }
  }
}
