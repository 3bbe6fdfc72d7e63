package io.sluice.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;

/**
 * The connections of a store: a pool for the path of jobs, a small one for writes that many callers share, which
 * wait for locks only briefly, another for signs of life, so that work never keeps a heartbeat waiting, another
 * for what the engine looks up and for housekeeping, another for what users read, so that no search keeps the
 * engine waiting, and single ones for listening.
 */
final class Connections implements AutoCloseable {
  private static final int CONNECT_SECONDS = 10;
  /** Some more than searches may take: see {@link Searches}. */
  private static final int READS = Searches.AT_ONCE + 2;

  /**
   * A plan made while a table was small is kept when it has grown. Reading the whole table is never
   * right on the path of a job, so it is ruled out. One plan fits all sizes then, and is made at once:
   * planning costs more than a statement takes.
   */
  private static final String HOT =
      " -c enable_seqscan=off -c enable_bitmapscan=off -c plan_cache_mode=force_generic_plan";

  /** How long a write that many callers share waits for somebody else's transaction. */
  static final Duration LOCK_WAIT = Duration.ofMillis(40);

  private final PostgresStoreBuilder settings;
  private final DataSource work;
  private final DataSource shared;
  private final DataSource beats;
  private final DataSource looks;
  private final DataSource reads;
  /** True when another opened them, and so has found that they can be. */
  private final boolean lent;

  Connections(PostgresStoreBuilder settings) {
    this.settings = settings;
    lent = false;
    if (settings.dataSource != null) {
      work = settings.dataSource;
      shared = settings.dataSource;
      beats = settings.dataSource;
      looks = settings.dataSource;
      reads = settings.dataSource;
    } else {
      work = pool("sluice-work", settings.connections, HOT);
      shared = pool("sluice-shared", 4, HOT + " -c lock_timeout=" + LOCK_WAIT.toMillis());
      beats = pool("sluice-beats", 2, HOT);
      looks = pool("sluice-looks", 3, "");
      reads = pool("sluice-reads", READS, "");
    }
  }

  private Connections(
      PostgresStoreBuilder settings,
      DataSource work,
      DataSource shared,
      DataSource beats,
      DataSource looks,
      DataSource reads) {
    this.settings = settings;
    this.work = work;
    this.shared = shared;
    this.beats = beats;
    this.looks = looks;
    this.reads = reads;
    this.lent = true;
  }

  /** These connections for a store that does not own them, each pool behind a door of the owner's. */
  Connections behind(UnaryOperator<DataSource> door) {
    return new Connections(
        settings,
        door.apply(work),
        door.apply(shared),
        door.apply(beats),
        door.apply(looks),
        door.apply(reads));
  }

  DataSource work() {
    return work;
  }

  DataSource shared() {
    return shared;
  }

  DataSource beats() {
    return beats;
  }

  DataSource looks() {
    return looks;
  }

  DataSource reads() {
    return reads;
  }

  /** What transactions on the path of jobs must set for themselves. */
  Guard workGuard() {
    return ownsSessions() ? Guard.NONE : Guard.byIndex(settings.statementTimeout);
  }

  /** The same for writes that many callers share. */
  Guard sharedGuard() {
    return ownsSessions() ? Guard.NONE : Guard.byIndex(settings.statementTimeout, LOCK_WAIT);
  }

  /** The same for looking, reading and housekeeping. */
  Guard looksGuard() {
    return ownsSessions() ? Guard.NONE : Guard.ofTransactions(settings.statementTimeout);
  }

  private boolean ownsSessions() {
    return settings.dataSource == null && !settings.pooled;
  }

  /** True when single connections are opened for us alone, false when a caller's pool lends them. */
  boolean ownsSingles() {
    return settings.url != null;
  }

  /** Says at once what is wrong with the address, user or password; a pool would wait and hide it. */
  void check() {
    if (ownsSingles() && !lent) {
      try (Connection connection = single()) {
        connection.isValid(CONNECT_SECONDS);
      } catch (SQLException e) {
        throw Failures.of(e);
      }
    }
  }

  /** A connection that belongs to the caller, who closes it. */
  Connection single() throws SQLException {
    String url = settings.url;
    if (url == null) {
      return work.getConnection();
    }
    Connection connection = new Driver().connect(url, properties(""));
    if (connection == null) {
      throw new SQLException("the url is not the address of a PostgreSQL");
    }
    return connection;
  }

  /** How the own pools are used; none where a caller's pool lends the connections. */
  List<PoolUse> pools() {
    return Stream.of(work, shared, beats, looks, reads)
        .filter(pool -> settings.dataSource == null && pool instanceof HikariDataSource)
        .map(pool -> PoolUse.of((HikariDataSource) pool))
        .toList();
  }

  @Override
  public void close() {
    if (settings.dataSource == null) {
      for (DataSource source : List.of(work, shared, beats, looks, reads)) {
        if (source instanceof HikariDataSource pool) {
          pool.close();
        }
      }
    }
  }

  private HikariDataSource pool(String name, int size, String planning) {
    HikariConfig config = new HikariConfig();
    config.setPoolName(name);
    config.setJdbcUrl(settings.url);
    config.setDataSourceProperties(properties(planning));
    config.setMaximumPoolSize(size);
    config.setMinimumIdle(1);
    config.setConnectionTimeout(Duration.ofSeconds(CONNECT_SECONDS).toMillis());
    // The pool is there before the database is: open() says what is wrong.
    config.setInitializationFailTimeout(-1);
    return new HikariDataSource(config);
  }

  private Properties properties(String planning) {
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
      properties.setProperty("options", SessionOptions.of(settings.statementTimeout) + planning);
      if (!planning.isEmpty()) {
        properties.setProperty("prepareThreshold", "1");
      }
    }
    return properties;
  }

  private static void put(Properties properties, String name, @Nullable String value) {
    if (value != null) {
      properties.setProperty(name, value);
    }
  }
}
