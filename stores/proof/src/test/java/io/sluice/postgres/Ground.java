package io.sluice.postgres;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
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
      "waking",
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
      "job_order",
      "worker",
      "queue_size",
      "queue_taken",
      "tenant_cap",
      "flow_limit",
      "flow_pending",
      "flow_bucket",
      "duty",
      "lane",
      "queue");

  /** Enough for what ends on a day that has tables, and for what ends later. */
  private static final int DAYS_AHEAD = 1;

  /** Two kinds for each day and for today. */
  static final int SHELVES = 2 * (1 + DAYS_AHEAD);

  private static final List<String> PARTITIONED =
      List.of("job", "job_error", "job_log", "job_progress", "done");

  /** One for each day, for today, and for what has no day. */
  private static final int PARTITIONS = PARTITIONED.size() * (2 + DAYS_AHEAD);

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

  /** Ends a test, whose stores are closed, so that another can come after it. */
  synchronized void clear() {
    doors.forEach(Door::close);
    doors.clear();
    stores = 0;
    try {
      sweep();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void sweep() throws SQLException {
    if (broom == null) {
      Properties settings = new Properties();
      settings.setProperty("prepareThreshold", "1");
      settings.setProperty("options", "-c plan_cache_mode=force_generic_plan");
      broom = DriverManager.getConnection(server.url(), settings);
    }
    if (daysChanged()) {
      dropDays();
    }
    try (PreparedStatement sweep = broom.prepareStatement(TABLES.stream()
        .map(table -> table + " as (delete from " + schema + "." + table + ")")
        .collect(Collectors.joining(
            ", ",
            "with ",
            ", epochs as (update " + schema + ".lane_epoch set epoch = epoch + 1)" + " update "
                + schema + ".flow_version set version = 1 where version > 1")))) {
      sweep.execute();
    }
  }

  /** True when the test let days pass: some came, went, or are half gone. */
  private boolean daysChanged() throws SQLException {
    try (PreparedStatement look = broom.prepareStatement(
            """
            select count(*) <> %d or bool_or(day not between %d and %d)
              or (select count(*) <> %d from pg_inherits i
                  where i.inhparent = any (array[%s]::regclass[]))
            from %s.shelf
            """.formatted(SHELVES, today, today + DAYS_AHEAD, PARTITIONS, parents(), schema));
        ResultSet row = look.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    }
  }

  private String parents() {
    return PARTITIONED.stream()
        .map(table -> "'" + schema + "." + table + "'")
        .collect(Collectors.joining(","));
  }

  /** Drops all days; the next store makes those that it needs. */
  private void dropDays() throws SQLException {
    try (Statement drop = broom.createStatement()) {
      drop.execute("""
          do $$ declare t regclass;
          begin
            delete from %1$s.shelf;
            for t in select c.oid from pg_class c
              where c.relnamespace = '%1$s'::regnamespace and c.relkind = 'r'
                and c.relname ~ '^(%2$s)_[1-9][0-9]*$'
            loop
              execute 'drop table ' || t;
            end loop;
          end $$
          """.formatted(schema, String.join("|", PARTITIONED)));
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
