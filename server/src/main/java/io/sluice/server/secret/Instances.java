package io.sluice.server.secret;

import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.postgres.Times;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** The servers on one database, this one among them, and which master keys each of them has. */
final class Instances {
  /**
   * One server.
   *
   * @param keys the names of the master keys that it has
   * @param sealing the generation of data keys that it seals with
   */
  record Instance(
      UUID id, String name, String version, List<String> keys, int sealing, Instant seenAt) {}

  private final Database database;
  private final UUID id;
  private final String name;
  private final String version;

  Instances(Database database, UUID id, String name, String version) {
    this.database = database;
    this.id = id;
    this.name = name;
    this.version = version;
  }

  UUID id() {
    return id;
  }

  /** Says that this server lives and what it has. Waits for a change of the master key that is being made. */
  void join(List<String> masters, int sealing) {
    database.transact(connection -> {
      try (Call call = database.call(connection, "see-master-key")) {
        call.execute();
      }
      beat(connection, masters, sealing);
      return true;
    });
  }

  void beat(List<String> masters, int sealing) {
    database.run(connection -> {
      beat(connection, masters, sealing);
      return true;
    });
  }

  private void beat(Connection connection, List<String> masters, int sealing) throws SQLException {
    try (Call call = database.call(connection, "beat-instance")) {
      call.set("id", id)
          .set("name", name)
          .set("version", version)
          .set("masters", "text", masters.toArray(String[]::new))
          .set("sealing", sealing)
          .update();
    }
  }

  void leave() {
    database.run(connection -> {
      try (Call call = database.call(connection, "leave-instance")) {
        return call.set("id", id).update();
      }
    });
  }

  List<Instance> live() {
    return database.run(this::live);
  }

  List<Instance> live(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "live-instances")) {
      return call.list(Instances::read);
    }
  }

  private static Instance read(ResultSet row) throws SQLException {
    return new Instance(
        row.getObject("id", UUID.class),
        row.getString("name"),
        row.getString("version"),
        List.of((String[]) row.getArray("masters").getArray()),
        row.getInt("sealing"),
        Times.read(row, "seen_at"));
  }
}
