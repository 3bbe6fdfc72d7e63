package io.sluice.postgres;

import io.sluice.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A PostgreSQL for tests, started once for each version and shared by all test classes. */
enum Server {
  POSTGRES_18,
  POSTGRES_14;

  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private static final Map<Server, EmbeddedPostgres> RUNNING = new ConcurrentHashMap<>();

  /** The address of the server, which is started when first asked for. */
  String url() {
    return RUNNING.computeIfAbsent(this, Server::start).urlWithPassword();
  }

  private EmbeddedPostgres start() {
    try {
      Path folder = Files.createTempDirectory("sluice-postgres-test");
      EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder(folder)
          .setting("max_locks_per_transaction", "512")
          .setting("max_connections", "400")
          .temporary();
      if (this == POSTGRES_14) {
        builder.binaries(Path.of(System.getProperty("sluice.test.postgres14")));
      }
      return builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A name for a schema that no other test uses. */
  static String newSchema() {
    return "t" + SCHEMAS.incrementAndGet();
  }

  /** Settings for a store in this schema. */
  PostgresStoreBuilder store(String schema) {
    return PostgresStore.builder().url(url()).schema(schema).connections(6);
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }

  /** Gathers statistics of the tables of a schema, and not of those of all the other tests. */
  void analyze(String schema) {
    run("""
        do $$ declare t regclass;
        begin
          for t in select oid from pg_class where relnamespace = '%s'::regnamespace
            and relkind in ('r', 'p') and not relispartition
          loop
            execute 'analyze ' || t;
          end loop;
        end $$
        """.formatted(schema));
  }

  void run(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The first column of the first row. */
  String ask(String sql) {
    try (Connection connection = connect();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
