package io.sluice.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A schema and connections to it, for one test after the other. Each test has stores of its own and
 * finds no rows; what it need not wait for again are the tables, and connections that have planned
 * their statements: to make those takes longer than most tests.
 */
final class Ground implements AutoCloseable {
  /** Every table but those of the migrations and of the days, which stay, and of the version of limits. */
  static final List<String> TABLES = List.of(
      "breaker_count",
      "breaker",
      "link",
      "batch",
      "batch_count",
      "job",
      "job_error",
      "job_log",
      "job_progress",
      "done",
      "ready",
      "later",
      "running",
      "idempotency",
      "expiry",
      "worker",
      "queue_size",
      "queue_taken",
      "tenant_cap",
      "flow_limit",
      "flow_bucket",
      "lane",
      "queue");

  /** Enough for what ends on a day that has tables, and for what ends later. */
  private static final int DAYS_AHEAD = 3;

  /** Two kinds for each day and for today. */
  static final int SHELVES = 2 * (1 + DAYS_AHEAD);

  private final Server server;
  private final String schema;
  private final int today;
  private final List<Connections> pools = new ArrayList<>();
  private final List<Door> doors = new ArrayList<>();
  private int stores;
  private @Nullable Connection broom;

  Ground(Server server, String schema, int today) {
    this.server = server;
    this.schema = schema;
    this.today = today;
  }

  Server server() {
    return server;
  }

  int today() {
    return today;
  }

  String schema() {
    return schema;
  }

  /** Settings for one more store of a test. Its own connections are those that an earlier one had. */
  synchronized PostgresStoreBuilder store() {
    if (stores == pools.size()) {
      pools.add(new Connections(server.store(schema)));
    }
    Connections lent = pools.get(stores++).behind(pool -> {
      Door door = new Door((HikariDataSource) pool);
      doors.add(door);
      return door;
    });
    return server.store(schema).daysAhead(DAYS_AHEAD).lent(lent);
  }

  /** The same for a store whose connections come from elsewhere. */
  PostgresStoreBuilder store(DataSource source) {
    return PostgresStore.builder().dataSource(source).schema(schema).daysAhead(DAYS_AHEAD);
  }

  /** Ends a test, whose stores are closed. False when another cannot come after it: days came or went. */
  synchronized boolean clear() {
    doors.forEach(Door::close);
    doors.clear();
    stores = 0;
    try {
      return sweep();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private boolean sweep() throws SQLException {
    if (broom == null) {
      Properties settings = new Properties();
      settings.setProperty("prepareThreshold", "1");
      settings.setProperty("options", "-c plan_cache_mode=force_generic_plan");
      broom = DriverManager.getConnection(server.url(), settings);
    }
    try (PreparedStatement look =
            broom.prepareStatement("""
        select count(*) = %d and bool_and(day between %d and %d) from %s.shelf
        """.formatted(SHELVES, today, today + DAYS_AHEAD, schema));
        ResultSet row = look.executeQuery()) {
      if (!row.next() || !row.getBoolean(1)) {
        return false;
      }
    }
    try (PreparedStatement sweep = broom.prepareStatement(TABLES.stream()
        .map(table -> table + " as (delete from " + schema + "." + table + ")")
        .collect(Collectors.joining(
            ", ",
            "with ",
            " update " + schema + ".flow_version set version = 1 where version > 1")))) {
      sweep.execute();
      return true;
    }
  }

  /** Closes the connections and drops the schema. */
  @Override
  public void close() {
    pools.forEach(Connections::close);
    try {
      if (broom != null) {
        broom.close();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    server.run("drop schema if exists " + schema + " cascade");
  }
}
