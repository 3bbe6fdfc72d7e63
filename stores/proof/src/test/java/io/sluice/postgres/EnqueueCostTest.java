package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.QueueSettings;
import io.sluice.store.NewJob;
import io.sluice.store.TenantCap;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** An enqueue touches as many blocks of the database beside many waiting jobs as beside few. */
class EnqueueCostTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final int MANY = 100_000;
  private static final int FEW = 10;
  private static final int CALLS = 15;

  private final String schema = Server.newSchema();

  @AfterEach
  void drop() {
    SERVER.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void enqueue_touchesTheSameBlocks_howeverManyJobsWait() throws SQLException {
    try (PostgresStore store = SERVER.store(schema).build();
        Connection connection = SERVER.connect()) {
      store.open();
      SERVER.makeWeek(schema);
      connection.setAutoCommit(false);
      fill(store, "big", MANY);
      fill(store, "tiny", FEW);
      assertSameCost("no cap", store, connection);
      for (String tenant : List.of("big", "tiny")) {
        store.queues().save(QueueSettings.of(tenant, "default").withMaxSize(2L * MANY));
      }
      assertSameCost("capped queue", store, connection);
      for (String tenant : List.of("big", "tiny")) {
        store.queues().capTenant(tenant, TenantCap.of(2L * MANY));
      }
      assertSameCost("capped queue of a capped tenant", store, connection);
      SERVER.analyze(schema);
      assertSameCost("the same, analysed", store, connection);
    }
  }

  private static void fill(PostgresStore store, String tenant, int jobs) {
    for (int left = jobs; left > 0; left -= 10_000) {
      List<NewJob> batch = new ArrayList<>();
      for (int i = 0; i < Math.min(left, 10_000); i++) {
        batch.add(Sample.jobOf(tenant));
      }
      store.insert(batch);
    }
  }

  private static void assertSameCost(String what, PostgresStore store, Connection connection)
      throws SQLException {
    long few = cost(store, connection, "tiny");
    long many = cost(store, connection, "big");
    assertThat(few).as(what).isBetween(5L, 150L);
    // A page that is full is split now and then, whichever queue the job is for.
    assertThat(many).as(what + ", beside " + few).isBetween(few - 5, few + 5);
  }

  /** The blocks that an enqueue touches, of tables and indexes, as the median of some. */
  private static long cost(PostgresStore store, Connection connection, String tenant)
      throws SQLException {
    List<Long> costs = new ArrayList<>();
    for (int i = 0; i < CALLS; i++) {
      long before = touched(connection);
      store.insert(connection, List.of(Sample.jobOf(tenant)));
      connection.commit();
      costs.add(touched(connection) - before);
    }
    return costs.stream().sorted().toList().get(CALLS / 2);
  }

  /** All blocks that the server process behind the connection has touched so far. */
  private static long touched(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("select pg_stat_force_next_flush()");
      connection.commit();
      try (ResultSet row = statement.executeQuery(
          "select sum(coalesce(hits, 0) + coalesce(reads, 0)) from pg_stat_get_backend_io(pg_backend_pid())"
              + " where object = 'relation'")) {
        row.next();
        long touched = row.getLong(1);
        connection.commit();
        return touched;
      }
    }
  }
}
