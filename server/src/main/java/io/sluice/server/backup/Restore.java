package io.sluice.server.backup;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.postgres.Migrator;
import io.sluice.server.backup.Backup.Progress;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.DigestInputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;

/**
 * Puts a backup into an empty schema, whole or not at all: everything is one transaction. The tables
 * are made as they were when the backup was, filled, checked, and then brought up to date.
 */
public final class Restore {
  /** Made empty, and the database lets nobody empty it. */
  private static final String AUDIT = "audit";

  private static final String SHELF = "shelf";

  private final Database database;
  private final String schema;
  private final List<Migrator> migrators;

  public Restore(Database database, String schema, List<Migrator> migrators) {
    this.database = database;
    this.schema = schema;
    this.migrators = List.copyOf(migrators);
  }

  /**
   * Restores.
   *
   * @param last is done when all is there, before it counts; what it throws undoes the restore
   */
  public void read(BackupFile file, Progress progress, Runnable last) {
    requireKnown(file);
    database.transact(connection -> {
      put(connection, file, progress);
      for (Migrator migrator : migrators) {
        migrator.run(connection, migrator.versions());
      }
      last.run();
      return true;
    });
  }

  /** Restores the tables as those of the version that the backup is of, for a server to bring up to date. */
  public void readAsOfItsVersion(BackupFile file) {
    requireKnown(file);
    database.transact(connection -> {
      put(connection, file, (table, rows) -> {});
      return true;
    });
  }

  private void put(Connection connection, BackupFile file, Progress progress) throws SQLException {
    try (Call call = database.call(connection, "backup-set")) {
      call.execute();
    }
    requireEmpty(connection);
    migrate(connection, file.manifest().migrations());
    fill(connection, file, progress);
    beginAnew(connection);
  }

  private void requireKnown(BackupFile file) {
    Manifest manifest = file.manifest();
    for (Migrator migrator : migrators) {
      Set<Integer> versions = manifest.migrations().get(migrator.part());
      if (versions == null) {
        throw file.damaged(
            "it does not say which tables of '" + migrator.part() + "' it has", null);
      }
      if (!migrator.versions().containsAll(versions)) {
        throw new SluiceException(
            ErrorCode.BAD_CONFIGURATION,
            "the backup is of a newer version of Sluice (" + manifest.sluice()
                + ") than this program knows: restore it with that one. Nothing was restored");
      }
    }
  }

  private void requireEmpty(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "backup-holds")) {
      if (call.set("schema", schema).one(row -> row.getLong("tables")) > 0) {
        throw new SluiceException(
            ErrorCode.CONFLICT,
            "schema '" + schema
                + "' is not empty, and a restore never overwrites: name another data"
                + " folder (--data) or schema (--database-schema), or drop this one yourself first");
      }
    }
  }

  private void migrate(Connection connection, Map<String, Set<Integer>> versions)
      throws SQLException {
    for (Migrator migrator : migrators) {
      migrator.run(connection, versions.getOrDefault(migrator.part(), Set.of()));
    }
  }

  private void fill(Connection connection, BackupFile file, Progress progress) throws SQLException {
    Catalog catalog = new Catalog(database, schema, migrators);
    List<Catalog.Table> tables = catalog.tables(connection);
    Map<String, Manifest.Table> given = file.manifest().contents().tables().stream()
        .collect(Collectors.toMap(Manifest.Table::name, table -> table));
    if (!given
        .keySet()
        .equals(tables.stream().map(Catalog.Table::name).collect(Collectors.toSet()))) {
      throw file.damaged("its tables are not those of its version", null);
    }
    // The making of a table may have put rows into it.
    try (Statement statement = connection.createStatement()) {
      statement.execute("truncate "
          + tables.stream()
              .filter(t -> !t.name().equals(AUDIT))
              .map(t -> catalog.name(t.name()))
              .collect(Collectors.joining(", ")));
    }
    try {
      makeShelves(connection, file);
      for (Catalog.Table table : tables) {
        Manifest.Table expected = given.get(table.name());
        if (expected != null && !table.name().equals(SHELF)) {
          copy(connection, catalog, file, expected);
          progress.table(expected.name(), expected.rows());
        }
      }
    } catch (IOException e) {
      throw file.damaged("it cannot be read to its end (" + e.getMessage() + ")", e);
    }
    for (Map.Entry<String, Long> sequence :
        file.manifest().contents().sequences().entrySet()) {
      try (Call call = database.call(connection, "restore-sequence")) {
        call.set("schema", schema)
            .set("name", sequence.getKey())
            .set("value", sequence.getValue())
            .execute();
      }
    }
  }

  /** A day's row and its partitions come into being together. */
  private void makeShelves(Connection connection, BackupFile file)
      throws SQLException, IOException {
    Hashing hashing = new Hashing();
    List<String> lines;
    try (DigestInputStream in = new DigestInputStream(file.rows(SHELF), hashing.digest());
        BufferedReader reader =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      lines = reader.lines().toList();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    Manifest.Table expected = file.manifest().contents().tables().stream()
        .filter(table -> table.name().equals(SHELF))
        .findFirst()
        .orElseThrow(() -> file.damaged("table " + SHELF + " is missing", null));
    require(file, expected, lines.size(), hashing.text());
    for (String line : lines) {
      String[] fields = line.split("\t", -1);
      try (Call call = database.call(connection, "restore-shelf")) {
        call.set("kind", fields[expected.columns().indexOf("kind")])
            .set("day", Integer.parseInt(fields[expected.columns().indexOf("day")]))
            .execute();
      }
    }
  }

  private static void copy(
      Connection connection, Catalog catalog, BackupFile file, Manifest.Table table)
      throws SQLException, IOException {
    Hashing hashing = new Hashing();
    long rows;
    try (InputStream entry = file.rows(table.name());
        DigestInputStream in = new DigestInputStream(entry, hashing.digest())) {
      rows = connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyIn(
              "copy " + catalog.name(table.name()) + " (" + Catalog.listed(table.columns())
                  + ") from stdin",
              in);
    } catch (SQLException e) {
      String state = e.getSQLState() == null ? "" : e.getSQLState();
      // Classes 22 and 23: what the rows say cannot be, so they are not what was written.
      if (state.startsWith("22") || state.startsWith("23")) {
        throw file.damaged("table " + table.name() + " cannot be taken", e);
      }
      throw e;
    }
    require(file, table, rows, hashing.text());
  }

  private static void require(BackupFile file, Manifest.Table table, long rows, String sha256) {
    if (rows != table.rows() || !sha256.equals(table.sha256())) {
      throw file.damaged("table " + table.name() + " is not as it was written", null);
    }
  }

  /**
   * Makes a world of its own of what was restored: what ran waits again, and no claim, worker or server of
   * the world before fits anything here.
   */
  private void beginAnew(Connection connection) throws SQLException {
    Map<String, List<String>> columns = new Catalog(database, schema, migrators)
        .tables(connection).stream()
            .collect(Collectors.toMap(Catalog.Table::name, Catalog.Table::columns));
    // A backup of an older version knows of no batches.
    boolean batches = columns.getOrDefault("ready", List.of()).contains("batch");
    run(connection, batches ? "restore-running" : "restore-running-without-batches");
    run(connection, "restore-workers");
    if (columns.containsKey("server_instance")) {
      run(connection, "restore-instances");
      run(connection, "restore-runner");
    }
  }

  private void run(Connection connection, String statement) throws SQLException {
    try (Call call = database.call(connection, statement)) {
      call.execute();
    }
  }
}
