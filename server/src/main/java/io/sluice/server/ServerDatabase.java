package io.sluice.server;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.sluice.postgres.Database;
import io.sluice.postgres.Guard;
import io.sluice.postgres.Migrator;
import io.sluice.postgres.PoolUse;
import io.sluice.postgres.SessionOptions;
import io.sluice.postgres.Sql;
import java.time.Duration;
import java.util.List;

/** The tables of the server beside those of the job store: tenants, keys, groups and the like. */
final class ServerDatabase implements AutoCloseable {
  static final String PART = "server";
  private static final int CONNECTIONS = 6;
  /** Apart from the others, so that no call of a user keeps another from logging in. */
  private static final int LOGINS = 2;
  /** With those of the job store: 25 in its pools, and one that listens. */
  static final int CONNECTIONS_OF_A_PROCESS = CONNECTIONS + LOGINS + 26;

  private static final Duration TIMEOUT = Duration.ofSeconds(20);
  private static final int PROBE_SECONDS = 2;
  private static final List<String> STATEMENTS = List.of(
      "tenants.sql",
      "keys.sql",
      "audit.sql",
      "usage.sql",
      "seal.sql",
      "queues.sql",
      "secrets.sql",
      "url_groups.sql",
      "url_group_health.sql",
      "url_group_figures.sql",
      "delivery.sql",
      "backup.sql");
  private static final List<String> MIGRATIONS = List.of(
      "V001__tenants.sql",
      "V002__url_groups.sql",
      "V003__lease_key.sql",
      "V004__url_group_state.sql",
      "V005__url_group_figures.sql",
      "V007__master_key.sql",
      "V008__tenant_rates.sql",
      "V010__tenant_levels.sql",
      "V012__tenant_quotas.sql",
      "V013__secrets_stay_in.sql");

  private final HikariDataSource pool;
  private final HikariDataSource loginPool;
  private final Database database;
  private final Database logins;

  ServerDatabase(ServerSettings.DatabaseSettings settings) {
    Guard guard = settings.pooled() ? Guard.ofTransactions(TIMEOUT) : Guard.NONE;
    Sql sql = sql(settings.schema());
    this.pool = pool(settings, "sluice-server", CONNECTIONS);
    this.database = new Database(pool, sql, guard);
    this.loginPool = pool(settings, "sluice-logins", LOGINS);
    this.logins = new Database(loginPool, sql, guard);
  }

  private static HikariDataSource pool(
      ServerSettings.DatabaseSettings settings, String name, int connections) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(settings.url());
    if (settings.user() != null) {
      config.setUsername(settings.user());
    }
    if (settings.password() != null) {
      config.setPassword(settings.password());
    }
    if (settings.pooled()) {
      config.addDataSourceProperty("prepareThreshold", "0");
    } else {
      config.addDataSourceProperty("options", SessionOptions.of(TIMEOUT));
    }
    config.setMaximumPoolSize(connections);
    config.setConnectionTimeout(5_000);
    // The pool is there before the database is: migrate() says what is wrong.
    config.setInitializationFailTimeout(-1);
    config.setMinimumIdle(1);
    config.addDataSourceProperty("socketTimeout", String.valueOf(TIMEOUT.toSeconds() + 5));
    config.addDataSourceProperty("tcpKeepAlive", "true");
    config.addDataSourceProperty("ApplicationName", "sluice-server");
    return new HikariDataSource(config);
  }

  /** The statements of the server. */
  static Sql sql(String schema) {
    return new Sql(schema, ServerDatabase.class, STATEMENTS);
  }

  /** What makes the tables of the server. */
  static Migrator migrator(Database database) {
    return new Migrator(database, PART, MIGRATIONS);
  }

  /** The version that the tables are brought to. */
  static int newest() {
    return Migrator.newest(MIGRATIONS);
  }

  /** Brings the tables up to date. */
  void migrate() {
    migrator(database).run();
  }

  /** True when the database answers. */
  boolean answers() {
    return logins.run(connection -> connection.isValid(PROBE_SECONDS));
  }

  List<PoolUse> pools() {
    return List.of(PoolUse.of(pool), PoolUse.of(loginPool));
  }

  Database database() {
    return database;
  }

  /** The same tables, for finding out who calls and nothing else. */
  Database logins() {
    return logins;
  }

  @Override
  public void close() {
    loginPool.close();
    pool.close();
  }
}
