package io.sluice.server.backup;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.postgres.Migrator;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.postgresql.PGConnection;

/** Writes a whole schema into a file, as it is at one moment, while others go on working on it. */
public final class Backup {
  /** Is told of each table that is in the file, or in the database again. */
  public interface Progress {
    void table(String name, long rows);
  }

  /** What to write, beside the tables: the texts of key files by their names. */
  public record Order(Path file, boolean overwrite, Map<String, String> keyFiles) {
    @Override
    public String toString() {
      return "Order[" + file + "]"; // the others are secrets
    }
  }

  private final Database database;
  private final String schema;
  private final List<Migrator> migrators;
  private final InstantSource clock;
  private final String version;

  public Backup(
      Database database,
      String schema,
      List<Migrator> migrators,
      InstantSource clock,
      String version) {
    this.database = database;
    this.schema = schema;
    this.migrators = List.copyOf(migrators);
    this.clock = clock;
    this.version = version;
  }

  public Manifest write(Order order, Progress progress) {
    try (BackupWriter writer = BackupWriter.create(order.file, order.overwrite)) {
      return database.transact(connection -> {
        try {
          Manifest manifest = write(connection, order, writer, progress);
          writer.finish(manifest);
          return manifest;
        } catch (IOException e) {
          throw writer.failed(e);
        }
      });
    }
  }

  private Manifest write(Connection connection, Order order, BackupWriter writer, Progress progress)
      throws SQLException, IOException {
    Catalog catalog = new Catalog(database, schema, migrators);
    List<Catalog.Table> tables = lock(connection, catalog);
    Map<String, Set<Integer>> migrations = migrations(connection);
    List<Manifest.Table> written = new ArrayList<>();
    for (Catalog.Table table : tables) {
      Manifest.Table done = copy(connection, catalog, table, writer);
      written.add(done);
      progress.table(done.name(), done.rows());
    }
    for (Map.Entry<String, String> key : order.keyFiles.entrySet()) {
      try (OutputStream out = writer.entry(BackupFile.KEYS + key.getKey())) {
        out.write(key.getValue().getBytes(StandardCharsets.US_ASCII));
      }
    }
    return new Manifest(
        Manifest.FORMAT,
        version,
        clock.instant(),
        migrations,
        // Last: sequences stand outside of transactions, and are past all that was read.
        new Manifest.Contents(written, catalog.sequences(connection)),
        masters(connection, tables),
        List.copyOf(order.keyFiles.keySet()));
  }

  /**
   * The tables, none of which can be dropped from now on. Locking takes no snapshot: what is seen is
   * what there is when all are locked. The look at the catalogue before is undone for that.
   */
  private List<Catalog.Table> lock(Connection connection, Catalog catalog) throws SQLException {
    List<Catalog.Table> tables = catalog.tables(connection);
    if (tables.isEmpty()) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "there is nothing to back up: the database has no tables of Sluice in schema '" + schema
              + "'");
    }
    connection.rollback();
    for (String setting : List.of("backup-snapshot", "backup-set")) {
      try (Call call = database.call(connection, setting)) {
        call.execute();
      }
    }
    try (Statement statement = connection.createStatement()) {
      for (Catalog.Table table : tables) {
        statement.execute("lock table " + catalog.name(table.name()) + " in access share mode");
      }
    }
    return tables;
  }

  private Map<String, Set<Integer>> migrations(Connection connection) throws SQLException {
    Map<String, Set<Integer>> migrations = new LinkedHashMap<>();
    for (Migrator migrator : migrators) {
      migrations.put(migrator.part(), migrator.appliedTo(connection));
    }
    return migrations;
  }

  private List<String> masters(Connection connection, List<Catalog.Table> tables)
      throws SQLException {
    if (tables.stream().noneMatch(table -> table.name().equals("data_key"))) {
      return List.of();
    }
    try (Call call = database.call(connection, "backup-masters")) {
      return call.list(row -> row.getString("id"));
    }
  }

  private static Manifest.Table copy(
      Connection connection, Catalog catalog, Catalog.Table table, BackupWriter writer)
      throws SQLException, IOException {
    Hashing hashing = new Hashing();
    long rows;
    try (OutputStream entry = writer.entry(BackupFile.TABLES + table.name());
        DigestOutputStream out = new DigestOutputStream(entry, hashing.digest())) {
      rows = connection
          .unwrap(PGConnection.class)
          .getCopyAPI()
          .copyOut(
              "copy (select " + Catalog.listed(table.columns()) + " from "
                  + catalog.name(table.name()) + ") to stdout",
              out);
    }
    return new Manifest.Table(table.name(), table.columns(), rows, hashing.text());
  }
}
