package io.sluice.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * The connections of a store: a pool for work, a small one of its own for signs of life, so that work
 * never keeps a heartbeat waiting, and single ones for listening.
 */
final class Connections implements AutoCloseable {
  private static final int CONNECT_SECONDS = 10;

  private final PostgresStoreBuilder settings;
  private final DataSource work;
  private final DataSource beats;

  Connections(PostgresStoreBuilder settings) {
    this.settings = settings;
    if (settings.dataSource != null) {
      work = settings.dataSource;
      beats = settings.dataSource;
    } else {
      work = pool("sluice-work", settings.connections);
      beats = pool("sluice-beats", 2);
    }
  }

  DataSource work() {
    return work;
  }

  DataSource beats() {
    return beats;
  }

  /** How long JDBC itself must limit a statement; zero where the connection does. */
  int timeoutSeconds() {
    boolean limited = settings.dataSource == null && !settings.pooled;
    return limited ? 0 : (int) Math.max(1, settings.statementTimeout.toSeconds());
  }

  /** A connection that belongs to the caller, who closes it. */
  Connection single() throws SQLException {
    String url = settings.url;
    if (url == null) {
      return work.getConnection();
    }
    Connection connection = new Driver().connect(url, properties());
    if (connection == null) {
      throw new SQLException("not the address of a PostgreSQL: " + url);
    }
    return connection;
  }

  @Override
  public void close() {
    if (work instanceof HikariDataSource pool && settings.dataSource == null) {
      pool.close();
    }
    if (beats instanceof HikariDataSource pool && settings.dataSource == null) {
      pool.close();
    }
  }

  private HikariDataSource pool(String name, int size) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(settings.url);
    config.setDataSourceProperties(properties());
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(Duration.ofSeconds(CONNECT_SECONDS).toMillis());
    // The pool is there before the database is: open() says what is wrong.
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  private Properties properties() {
    long limit = settings.statementTimeout.toMillis();
    Properties properties = new Properties();
    put(properties, "user", settings.user);
    put(properties, "password", settings.password);
    properties.setProperty("ApplicationName", "sluice");
    properties.setProperty("connectTimeout", String.valueOf(CONNECT_SECONDS));
    properties.setProperty("socketTimeout", String.valueOf(limit / 1000 + CONNECT_SECONDS));
    properties.setProperty("tcpKeepAlive", "true");
    if (settings.pooled) {
      properties.setProperty("prepareThreshold", "0");
    } else {
      // Compiling a plan costs more than any statement here takes.
      properties.setProperty("options", "-c jit=off -c statement_timeout=" + limit);
    }
    return properties;
  }

  private static void put(Properties properties, String name, @Nullable String value) {
    if (value != null) {
      properties.setProperty(name, value);
    }
  }
}
