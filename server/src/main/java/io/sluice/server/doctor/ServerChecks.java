package io.sluice.server.doctor;

import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.postgres.Migrator;
import io.sluice.postgres.Times;
import io.sluice.server.doctor.Fault.Topic;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;

/** PostgreSQL itself: its version, clock and connections, and settings that lose data or speed. */
final class ServerChecks {
  private static final Duration CLOCKS_APART = Duration.ofSeconds(2);
  private static final Map<String, Fault> DURABLE = Map.of(
      "fsync", Fault.FSYNC_OFF,
      "full_page_writes", Fault.FULL_PAGE_WRITES_OFF,
      "synchronous_commit", Fault.SYNCHRONOUS_COMMIT_OFF);

  private ServerChecks() {}

  /** Runs a statement that has one row. */
  private static <T> T ask(Database database, String query, Call.Row<T> reading) {
    return database.run(connection -> {
      try (Call call = database.call(connection, query)) {
        return call.one(reading);
      }
    });
  }

  static List<Finding> server(Patient patient, Database database) {
    Instant before = patient.clock().instant();
    return ask(database, "server", row -> {
      Instant after = patient.clock().instant();
      List<Finding> findings = new ArrayList<>();
      findings.add(
          row.getInt("number") / 10_000 < Migrator.OLDEST_SERVER
              ? Fault.DATABASE_TOO_OLD.found(row.getString("version"))
              : Topic.DATABASE.ok("PostgreSQL " + row.getString("version") + " answers."));
      if (row.getBoolean("standby")) {
        findings.add(Fault.STANDBY.found());
      }
      if (!row.getString("encoding").equals("UTF8")) {
        findings.add(Fault.ENCODING.found(row.getString("encoding")));
      }
      findings.add(clocks(before, Times.read(row, "now"), after));
      return List.copyOf(findings);
    });
  }

  /** A clock that was read between two looks at ours should show a time between them. */
  private static Finding clocks(Instant before, Instant there, Instant after) {
    Duration ahead = Duration.between(after, there);
    Duration behind = Duration.between(there, before);
    Duration apart = ahead.compareTo(behind) > 0 ? ahead : behind;
    return apart.compareTo(CLOCKS_APART) > 0
        ? Fault.CLOCK.found(apart.plusMillis(500).toSeconds())
        : Topic.DATABASE.ok("Its clock and the one here agree.");
  }

  /** A pooler gives its clients numbers of its own for the process that serves them. */
  static List<Finding> pooler(Patient patient, Database database) {
    boolean told = patient.config().postgres().pooled();
    boolean there = database.run(connection ->
        backend(database, connection) != connection.unwrap(PGConnection.class).getBackendPID());
    if (told == there) {
      return List.of(Topic.DATABASE.ok(
          there ? "A pooler stands before it, as was said." : "Nothing stands before it."));
    }
    return List.of((there ? Fault.POOLER_UNTOLD : Fault.POOLER_ABSENT).found());
  }

  private static int backend(Database database, Connection connection) throws SQLException {
    try (Call call = database.call(connection, "server")) {
      return call.one(row -> row.getInt("backend"));
    }
  }

  static List<Finding> connections(Patient patient, Database database) {
    return ask(database, "connections", row -> {
      int left = row.getInt("remaining");
      int most = row.getInt("most");
      int needed = patient.needs().connections();
      // What servers hold already they need not take any more.
      boolean enough = left + row.getInt("ours") >= needed;
      return List.of(
          enough
              ? Topic.DATABASE.ok(left + " of " + most
                  + " connections are left; a process takes up to " + needed + ".")
              : Fault.CONNECTIONS_FEW.found(left, most, needed));
    });
  }

  static List<Finding> durability(Patient patient, Database database) {
    return ask(database, "durability", row -> {
      List<Finding> findings = new ArrayList<>();
      for (var setting : DURABLE.entrySet()) {
        if (row.getString(setting.getKey()).equals("off")) {
          findings.add(setting.getValue().found());
        }
      }
      return findings.isEmpty()
          ? List.of(Topic.DURABILITY.ok("A commit is on the disk before it is confirmed."))
          : List.copyOf(findings);
    });
  }

  static List<Finding> upkeep(Patient patient, Database database) {
    List<Finding> findings = new ArrayList<>();
    if (ask(database, "durability", row -> row.getString("autovacuum").equals("off"))) {
      findings.add(Fault.AUTOVACUUM_OFF.found());
    }
    findings.addAll(database.run(connection -> {
      try (Call call = database.call(connection, "longest-transaction")) {
        return call.set("seconds", patient.needs().openFor().toSeconds())
            .list(ServerChecks::transaction);
      }
    }));
    boolean all = ask(database, "sees-all", row -> row.getBoolean("sees_all"));
    return findings.isEmpty()
        ? List.of(Topic.UPKEEP.ok("Autovacuum is on, and no transaction is in its way"
            + (all
                ? "."
                : ", of those of this user: to see all needs the role pg_read_all_stats.")))
        : List.copyOf(findings);
  }

  private static Finding transaction(ResultSet row) throws SQLException {
    return Fault.TRANSACTION_LONG.found(
        row.getString("program"), row.getInt("pid"), Times.read(row, "xact_start"));
  }
}
