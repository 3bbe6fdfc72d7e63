package io.sluice.server.seal;

import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/** The key of the seals: random, kept in the database, and the same for every instance on it. */
public final class SealKey {
  private static final String NAME = "seal";
  private static final int BYTES = 32;

  private SealKey() {}

  /** The key there is, or one from these random numbers where there was none. */
  public static byte[] load(Database database, RandomGenerator random) {
    byte[] fresh = new byte[BYTES];
    random.nextBytes(fresh);
    return database.run(connection -> {
      try (Call call = database.call(connection, "offer-server-secret")) {
        call.set("name", NAME).set("value", HexFormat.of().formatHex(fresh)).execute();
      }
      try (Call call = database.call(connection, "server-secret")) {
        return call.set("name", NAME).one(row -> HexFormat.of().parseHex(row.getString("value")));
      }
    });
  }
}
