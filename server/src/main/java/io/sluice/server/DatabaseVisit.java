package io.sluice.server;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.postgres.Database;
import io.sluice.postgres.Guard;
import io.sluice.postgres.Migrator;
import io.sluice.server.config.Config;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The database of a server, for a command that works on it by itself: the one that was given, the
 * embedded one that a server runs, or the embedded one started for as long as this is open.
 */
final class DatabaseVisit implements AutoCloseable {
  private static final int ANSWER_SECONDS = 5;

  private final String schema;
  private final PGSimpleDataSource dataSource = new PGSimpleDataSource();
  private final Database database;
  private @Nullable EmbeddedPostgres started;

  /** The database that is there; fails with BAD_CONFIGURATION where an embedded one was never made. */
  static DatabaseVisit there(Config config) {
    Path files = config.running().data().resolve("postgres").resolve("pgdata");
    if (config.postgres().url() == null && !Files.exists(files)) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "there is no database in " + config.running().data().toAbsolutePath().normalize()
              + ": name the data folder (--data) or the database (--database-url) of the server");
    }
    return new DatabaseVisit(config);
  }

  /** The database that is there or, for an embedded one, is made. */
  static DatabaseVisit made(Config config) {
    DataFolder.open(config.running().data());
    return new DatabaseVisit(config);
  }

  /** Says what is wrong with the address, the user or the password that were given. */
  static void check(Config config) {
    try (DatabaseVisit visit = new DatabaseVisit(config)) {
      visit.database.run(connection -> connection.isValid(ANSWER_SECONDS));
    }
  }

  private DatabaseVisit(Config config) {
    Config.Postgres given = config.postgres();
    this.schema = given.schema();
    String url = given.url();
    if (url != null) {
      connect(url, given.user(), given.password());
    } else {
      embedded(config.running().data().resolve("postgres"));
    }
    dataSource.setApplicationName("sluice-backup");
    dataSource.setTcpKeepAlive(true);
    if (given.pooled()) {
      dataSource.setPrepareThreshold(0);
    }
    this.database = new Database(dataSource, ServerDatabase.sql(schema), Guard.NONE);
  }

  private void connect(String url, @Nullable String user, @Nullable String password) {
    dataSource.setURL(url);
    if (user != null) {
      dataSource.setUser(user);
    }
    if (password != null) {
      dataSource.setPassword(password);
    }
  }

  private void embedded(Path folder) {
    Optional<EmbeddedPostgres.Running> running = EmbeddedPostgres.running(folder);
    if (running.isPresent()) {
      connect(running.get().jdbcUrl(), running.get().user(), running.get().password());
      return;
    }
    EmbeddedPostgres own = EmbeddedPostgres.builder(folder).stopAtExit().start();
    started = own;
    connect(own.jdbcUrl(), own.user(), own.password());
  }

  String schema() {
    return schema;
  }

  Database database() {
    return database;
  }

  /** What makes all tables there are, in order. */
  List<Migrator> migrators() {
    return List.of(Migrator.ofJobs(dataSource, schema), ServerDatabase.migrator(database));
  }

  @Override
  public void close() {
    if (started != null) {
      started.close();
    }
  }
}
