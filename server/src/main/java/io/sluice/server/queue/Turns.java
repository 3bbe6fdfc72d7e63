package io.sluice.server.queue;

import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import java.util.function.Supplier;

/** Lets changes of one thing happen one after the other, over all instances of the server. */
public final class Turns {
  private final Database database;

  public Turns(Database database) {
    this.database = database;
  }

  /** Does the work when nobody else changes the thing, and keeps others waiting until it is done. */
  public <T> T inTurn(String tenant, String name, Supplier<T> work) {
    return database.transact(connection -> {
      try (Call call = database.call(connection, "wait-for-turn")) {
        call.set("place", "queue of " + tenant).set("name", name).execute();
      }
      return work.get();
    });
  }
}
