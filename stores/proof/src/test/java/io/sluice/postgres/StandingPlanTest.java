package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.store.Standing;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Telling where a job stands costs no more than what is counted, however much waits and has ended. */
@Tag("slow")
class StandingPlanTest {
  private static final int JOBS = 40_000;
  private static final int MOST = 500;

  private final Server server = Server.POSTGRES_18;
  private final String schema = Server.newSchema();

  @AfterEach
  void drop() {
    server.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void standing_ofTheLastJob_countsNoFurtherThanAsked_beforeAndAfterAnAnalysis()
      throws SQLException {
    open("NONE");
    assertCheap("never analysed");
    server.analyze(schema);
    assertCheap("analysed");
  }

  @Test
  void standing_inAnOrder_countsNoFurtherThanAsked() throws SQLException {
    open("QUEUE");
    server.analyze(schema);
    assertCheap("in an order");
  }

  private void assertCheap(String when) throws SQLException {
    for (String end : new String[] {"asc", "desc"}) {
      UUID job = UUID.fromString(
          server.ask("select id from " + schema + ".ready order by id " + end + " limit 1"));
      String plan = PlanBlocks.assertFewer(3 * MOST, when + ", " + end, () -> explain(job));
      assertThat(PlanBlocks.of(plan)).isPositive();
    }
  }

  /** A long lane, much of which has ended, and of which nothing ran or failed before. */
  private void open(String ordered) {
    try (PostgresStore store = server.store(schema).build()) {
      store.open();
      server.makeWeek(schema);
    }
    String today = "floor(extract(epoch from now()) / 86400)::integer";
    server.run("set search_path = " + schema + ";"
        + "insert into queue (tenant, name, ordered, keep_completed_ms, keep_dead_ms) "
        + "values ('default', 'default', '" + ordered + "', 1, 1);"
        + "insert into lane (queue, type, url_group, limit_key) values (1, 'long', '', '');"
        + "insert into done select 0, uuid7(), 0, 1, 10, 5, 1, 1, 0, 0, now(), now(), now(), null, null "
        + "from generate_series(1, " + JOBS + ");"
        + "insert into ready select 1, 10, uuid7(), " + today + ", 0, 0, 0, 0, 0 "
        + "from generate_series(1, " + JOBS + ");"
        + "insert into later select uuid7(), 1, now() + interval '1 day', " + today
        + ", 0, 0, 0, 10, 0, 1, 0 from generate_series(1, " + JOBS + ");"
        + "insert into job (shelf, id, lane, priority, created_at, payload) "
        + "select shelf, id, lane, priority, now(), '{}' from ready");
  }

  private String explain(UUID job) throws SQLException {
    Query query = new Sql(schema).query("standing");
    Query explained =
        new Query("explain", "explain (analyze, buffers) " + query.text(), query.parameters());
    try (Connection connection = server.connect();
        Call call = new Call(connection, explained)) {
      call.set("now", (Instant) null)
          .set("id", job)
          .set("most", MOST)
          .set("ends", Standing.MOST_ENDED);
      return String.join("\n", call.list((ResultSet row) -> row.getString(1)));
    }
  }
}
