package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The statements of the hot path must touch only what they take, whatever the statistics say. */
@Tag("slow")
class PlanTest {
  private final String schema = Server.newSchema();
  private Server server = Server.POSTGRES_18;

  @AfterEach
  void drop() {
    server.run("drop schema if exists " + schema + " cascade");
  }

  @ParameterizedTest
  @MethodSource("io.sluice.postgres.Server#measured")
  void claim_walksTheIndex_onEmptyFreshAndStaleTables(Server one) throws Exception {
    server = one;
    open();
    assertGood("empty");
    fill(100_000);
    assertGood("fresh, never analysed");
    server.run("analyze " + schema + ".ready; analyze " + schema + ".job");
    assertGood("analysed");
    server.run("delete from " + schema + ".ready where lane = 1");
    // Whoever comes first walks over what is dead; the low-water mark is there to spare the others
    // that.
    assertShape("analysed and then emptied", explainClaim("force_generic_plan"));
    server.run("analyze " + schema + ".ready");
    fillReady(100_000, "gen_random_uuid()");
    assertGood("analysed when empty, then filled at random places");
    server.run("analyze " + schema + ".ready");
    assertGood("filled at random places and analysed");
  }

  @Test
  @Tag("long")
  void claim_fromAShortLane_costsNothing_besideAMillionInAnother() throws Exception {
    open();
    fill(1_000_000);
    assertGood("a million, never analysed");
    server.run("analyze " + schema + ".ready; analyze " + schema + ".job");
    assertGood("a million");
    System.out.println(explainClaim("force_generic_plan"));
  }

  @ParameterizedTest
  @MethodSource("io.sluice.postgres.Server#measured")
  void heads_walkOverNothingBeforeTheMark_whileASnapshotIsHeld(Server one) throws Exception {
    server = one;
    open();
    try (Connection holder = server.connect();
        Statement statement = holder.createStatement()) {
      holder.setAutoCommit(false);
      holder.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      statement.execute("select count(*) from pg_class");
      assertGoodHeads("empty", 0);
      fill(20_000);
      assertGoodHeads("fresh, never analysed", 0);
      server.run("delete from " + schema + ".ready where lane = 1");
      server.run("vacuum analyze " + schema + ".ready");
      assertGoodHeads("what is gone cannot be cleaned", 2);
      String walked = explainHeads("force_generic_plan", LowWater.START);
      assertThat(PlanBlocks.of(walked)).as("without a mark\n" + walked).isGreaterThan(100);
    }
  }

  @ParameterizedTest
  @MethodSource("io.sluice.postgres.Server#measured")
  void whatALimitedClaimLooksAt_isFewBlocks_whateverWaitsAndRuns(Server one) throws Exception {
    server = one;
    open();
    server.run("insert into " + schema + ".lane (queue, type, url_group, limit_key) "
        + "select 1, 'keyed', '', 'k' || n from generate_series(1, 1000) n");
    assertGoodFlow("empty");
    fillReady(50_000, schema + ".uuid7()");
    server.run("insert into " + schema + ".later select gen_random_uuid(), 1, now(), 0, 0, "
        + "case when n % 1000 = 0 then 1 else 0 end, 0, 10, 0, 1, 0 from generate_series(1, 20000) n;"
        + "insert into " + schema + ".running (id, worker, claimed_at, lane, shelf, attempt, turn, "
        + "replays, priority, strikes, suspect, started, counted) select gen_random_uuid(), 1, now(), "
        + "n % 1000 + 3, 0, 1, 1, 0, 10, 0, 0, true, n % 200 = 0 from generate_series(1, 20000) n");
    assertGoodFlow("fresh, never analysed");
    server.run("analyze " + schema + ".ready, " + schema + ".later, " + schema + ".running, "
        + schema + ".lane");
    assertGoodFlow("analysed");
    server.run("delete from " + schema + ".later where turn = 0; delete from " + schema
        + ".running where not counted");
    server.run("vacuum analyze " + schema + ".later");
    assertGoodFlow("most is gone");
  }

  private void assertGoodFlow(String when) throws SQLException {
    for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
      String what = when + ", " + mode;
      String orders = PlanBlocks.assertFewer(400, what, () -> explainOrders(mode));
      String counts =
          PlanBlocks.assertFewer(400, what, () -> explain("count-running", mode, call -> call));
      for (String plan : List.of(orders, counts)) {
        assertThat(plan)
            .as(what + "\n" + plan)
            .contains("running_counted")
            .doesNotContain("Seq Scan on ready")
            .doesNotContain("Seq Scan on later")
            .doesNotContain("Seq Scan on running");
      }
      assertThat(orders).contains("lane_limit_key").contains("later_again");
    }
  }

  /** Looks from a mark after which so many jobs of the long lane came in. */
  private void assertGoodHeads(String when, int jobs) throws SQLException {
    UUID mark = UUID.fromString(server.ask("select " + schema + ".uuid7()"));
    fillReady(jobs, schema + ".uuid7()");
    for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
      String plan = PlanBlocks.assertFewer(50, when + ", " + mode, () -> explainHeads(mode, mark));
      assertThat(plan)
          .as(when + ", " + mode + "\n" + plan)
          .contains("ready_pkey")
          .doesNotContain("Scan on ready")
          .doesNotContain("Sort");
    }
  }

  private void open() {
    try (PostgresStore store = server.store(schema).build()) {
      store.open();
      server.makeWeek(schema);
    }
    server.run("insert into " + schema
        + ".queue (tenant, name, keep_completed_ms, keep_dead_ms) values ('default', 'default', 1, 1);"
        + "insert into " + schema + ".lane (queue, type, url_group, limit_key) "
        + "values (1, 'long', '', ''), (1, 'short', '', '');"
        + "insert into " + schema
        + ".worker (id, name, slots, types, fragile_types, started_at, seen_at, lease_until, timeline) "
        + "values (1, 'w', 1, '{}', '{}', now(), now(), now() + interval '1 day', " + schema
        + ".timeline())");
  }

  /** Many jobs in lane 1 and ten in lane 2. */
  private void fill(int jobs) {
    fillReady(jobs, schema + ".uuid7()");
    server.run("insert into " + schema + ".job (shelf, id, lane, priority, created_at, payload) "
        + "select shelf, id, lane, priority, now(), '{}' from " + schema + ".ready");
  }

  private void fillReady(int jobs, String id) {
    server.run("insert into " + schema + ".ready "
        + "select 1, 10, " + id
        + ", floor(extract(epoch from now()) / 86400)::integer, 0, 0, 0, 0, 0 "
        + "from generate_series(1, " + jobs + ") union all "
        + "select 2, 10, gen_random_uuid(), floor(extract(epoch from now()) / 86400)::integer, 0, 0, 0, 0, "
        + "0 from generate_series(1, 10)");
  }

  private void assertGood(String when) throws SQLException {
    for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
      String what = when + ", " + mode;
      assertShape(what, PlanBlocks.assertFewer(2000, what, () -> explainClaim(mode)));
    }
  }

  private static void assertShape(String when, String plan) {
    assertThat(plan)
        .as(when + "\n" + plan)
        .contains("ready_pkey")
        .contains("Tid Scan")
        .contains("Hash Join") // whoever nests loops here compares every job with every body
        .containsPattern("Index Scan using job_\\d+_pkey")
        .doesNotContain("Seq Scan on job")
        .doesNotContain("Seq Scan on ready")
        .doesNotContain("Bitmap Heap Scan on ready")
        .doesNotContain("Sort");
  }

  private String explainOrders(String mode) throws SQLException {
    return explain(
        "look-orders",
        mode,
        call -> call.set("order_queues", "int4", new Integer[] {1, 1, 1})
            .set("order_keys", "text", new String[] {"k1", "k2", "k3"}));
  }

  private String explainClaim(String mode) throws SQLException {
    return explain(
        "claim",
        mode,
        call -> call.set("now", (Instant) null)
            .set("worker", 1L)
            .set("max", 60)
            .set("version", 1L)
            .set("counted", "int4", new Integer[] {})
            .set("highs", "uuid", null)
            .setOrNull("lease", (Long) null)
            .set("lanes", "int4", new Integer[] {2, 1})
            .set("priorities", "int2", new Short[] {10, 10})
            .set("quotas", "int4", new Integer[] {50, 50})
            .set("lows", List.of(LowWater.START, LowWater.START)));
  }

  /** Looks for heads, with a mark in the long lane. */
  private String explainHeads(String mode, UUID mark) throws SQLException {
    return explain(
        "heads",
        mode,
        call -> call.set("lanes", "int4", new Integer[] {1})
            .set("priorities", "int2", new Short[] {10})
            .set("lows", List.of(mark))
            .set("gap_lanes", "int4", new Integer[] {0, 1, 1})
            .set("gap_priorities", "int2", new Short[] {-1, -1, 10})
            .set("max", Integer.MAX_VALUE)
            .set("lane_ends", "int4", new Integer[] {1, 1, Integer.MAX_VALUE})
            .set("priority_ends", "int2", new Short[] {Short.MAX_VALUE, 10, Short.MAX_VALUE}));
  }

  private String explain(String name, String mode, Explain.Setting parameters) throws SQLException {
    return new Explain(server, schema).of(name, mode, parameters);
  }
}
