package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is given to a statement is looked up in the tables and never joined to them, whatever the statistics say. */
@Tag("slow")
class LookUpPlanTest {
  private final String schema = Server.newSchema();
  private Server server = Server.POSTGRES_18;
  private Explain explain = new Explain(server, schema);

  @AfterEach
  void drop() {
    server.run("drop schema if exists " + schema + " cascade");
  }

  private void open(Server one) {
    server = one;
    explain = new Explain(server, schema);
    try (PostgresStore store = server.store(schema).build()) {
      store.open();
      server.makeWeek(schema);
    }
  }

  @ParameterizedTest
  @MethodSource("io.sluice.postgres.Server#measured")
  void ending_findsEachClaimByItsId_whateverTheStatistics(Server one) throws Exception {
    open(one);
    assertGoodEnds("never analysed");
    server.run("analyze " + schema + ".running");
    assertGoodEnds("analysed when all had gone");
    hold(1);
    server.run("vacuum analyze " + schema + ".running");
    assertGoodEnds("analysed with one");
    hold(800);
    server.run("vacuum analyze " + schema + ".running");
    assertGoodEnds("analysed with many");
    server.run("delete from " + schema + ".running");
    server.run("vacuum analyze " + schema + ".running");
    assertGoodEnds("analysed when all had gone again");
  }

  /** So many claims by a worker. */
  private void hold(int jobs) {
    server.run(
        "insert into " + schema + ".running (id, worker, claimed_at, lane, shelf, attempt, turn, "
            + "replays, priority, strikes, suspect, started, counted) select " + schema
            + ".uuid7(), 1, now(), 1, 0, 1, 1, 0, 10, 0, 0, true, false "
            + "from generate_series(1, " + jobs + ")");
  }

  private void assertGoodEnds(String when) throws SQLException {
    hold(800);
    List<UUID> ids = Stream.of(server
            .ask("select string_agg(r.id::text, ',') from (select id from " + schema
                + ".running limit 400) r")
            .split(","))
        .map(UUID::fromString)
        .toList();
    for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
      for (String plan : List.of(
          explain.of(
              "complete",
              mode,
              call -> claims(call, ids).set("worker", 1L).set("keep", 1000L).set("given", 400)),
          explain.of("end", mode, call -> ends(workers(claims(call, ids), ids), ids)),
          explain.of("again", mode, call -> agains(workers(claims(call, ids), ids), ids)))) {
        assertLookedUp(when + ", " + mode, plan, "running_pkey on running r\\w*", "\\(id = ");
      }
    }
    server.run("delete from " + schema + ".running");
  }

  /** An entry that the index leads to, and nothing that was compared with everything else. */
  private static void assertLookedUp(String when, String plan, String index, String condition) {
    assertThat(plan)
        .as(when + "\n" + plan)
        .containsPattern(index + " [^\\n]*\\n *Index Cond: " + condition)
        .doesNotContain("Rows Removed by Join Filter");
  }

  @ParameterizedTest
  @MethodSource("io.sluice.postgres.Server#measured")
  void keys_areLookedUpOneByOne_whateverTheStatistics(Server one) throws Exception {
    open(one);
    takeKeys();
    server.run("delete from " + schema + ".idempotency; analyze " + schema + ".idempotency");
    takeKeys();
    assertGoodKeys("analysed when all had gone");
    server.run("analyze " + schema + ".idempotency");
    assertGoodKeys("analysed with many");
  }

  private void takeKeys() {
    server.run("insert into " + schema + ".idempotency select 1, 'k' || n, gen_random_uuid(), 0 "
        + "from generate_series(1, 800) n");
  }

  private void assertGoodKeys(String when) throws SQLException {
    List<Integer> some = IntStream.rangeClosed(1, 400).boxed().toList();
    for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
      String known =
          explain.of("known-keys", mode, call -> keys(call.set("now", (Instant) null), some));
      String dropped = explain.of(
          "drop-keys",
          mode,
          call -> keys(call, some).column("ids", "uuid", some, n -> new UUID(0, n), UUID[]::new));
      for (String plan : List.of(known, dropped)) {
        assertLookedUp(
            when + ", " + mode, plan, "idempotency_pkey on idempotency i\\w*", "\\(\\(queue = ");
      }
    }
  }

  private static Call keys(Call call, List<Integer> some) throws SQLException {
    return call.column("queues", "int4", some, n -> 1, Integer[]::new)
        .column("keys", "text", some, n -> "k" + n, String[]::new);
  }

  private static Call claims(Call call, List<UUID> ids) throws SQLException {
    return call.set("now", (Instant) null)
        .set("ids", ids)
        .column("turns", "int4", ids, id -> 1, Integer[]::new);
  }

  private static Call workers(Call call, List<UUID> ids) throws SQLException {
    return call.column("workers", "int8", ids, id -> 1L, Long[]::new)
        .set("unstarted", List.<UUID>of());
  }

  private static Call ends(Call call, List<UUID> ids) throws SQLException {
    return call.column("states", "int2", ids, id -> States.code(JobState.COMPLETED), Short[]::new)
        .column("results", "text", ids, id -> "{}", String[]::new)
        .column("reasons", "text", ids, id -> null, String[]::new)
        .column("errors", "text", ids, id -> null, String[]::new)
        .column("keeps", "int8", ids, id -> 1000L, Long[]::new)
        .set("given", ids.size());
  }

  private static Call agains(Call call, List<UUID> ids) throws SQLException {
    return call.column("kinds", "int2", ids, id -> States.code(JobState.RETRYING), Short[]::new)
        .column("delays", "int8", ids, id -> 1000L, Long[]::new)
        .column("ats", "timestamptz", ids, id -> null, OffsetDateTime[]::new)
        .column("spent", "bool", ids, id -> true, Boolean[]::new)
        .column("strikes", "int2", ids, id -> (short) 0, Short[]::new)
        .column("suspects", "int2", ids, id -> (short) 0, Short[]::new)
        .column("errors", "text", ids, id -> null, String[]::new);
  }
}
