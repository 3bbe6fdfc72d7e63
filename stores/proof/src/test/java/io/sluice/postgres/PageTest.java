package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobFilter;
import io.sluice.JobState;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lists must not read through the jobs of others: a quiet queue beside a busy one is listed as fast. */
@Tag("slow")
class PageTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final String DAY = "floor(extract(epoch from now()) / 86400)::integer";

  private static final UUID BATCH = new UUID(7, 7);

  private final String schema = Server.newSchema();

  @AfterEach
  void drop() {
    SERVER.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void page_ofAQuietTenant_readsLittle_besideABusyOne() throws Exception {
    check(60_000, false);
  }

  @Test
  @Tag("long")
  void page_ofAQuietTenant_readsLittle_besideAMillion() throws Exception {
    check(1_000_000, true);
  }

  private void check(int jobs, boolean tell) throws SQLException {
    Duration forReading = Duration.ofMinutes(2);
    try (PostgresStore store = SERVER
        .store(schema)
        .statementTimeout(forReading)
        .searchTimeout(forReading)
        .build()) {
      store.open();
      SERVER.makeWeek(schema);
      fill(jobs);
      for (boolean analysed : new boolean[] {false, true}) {
        if (analysed) {
          SERVER.analyze(schema);
        }
        for (Case one : cases()) {
          assertThat(store.page(one.filter, null, 50).items()).as(one.what).hasSize(one.expected);
          int most = one.isFast ? 2_500 : Integer.MAX_VALUE;
          String plan = PlanBlocks.assertFewer(most, one.what, () -> explain(one));
          if (tell) {
            System.out.printf(
                "%-16s %6d blocks, %s%n", one.what, PlanBlocks.of(plan), lastLine(plan));
          }
          if (one.isFast && one.lanes.isEmpty() && one.filter.batch() == null) {
            assertThat(plan).as(one.what + " is read in order").doesNotContain("Sort Method");
          }
          if (one.filter.batch() != null) {
            assertThat(plan)
                .as(one.what)
                .contains("_batch_id_idx")
                .doesNotContain("Seq Scan on job_");
          }
        }
      }
    }
  }

  /** A filter with its lanes, how many jobs fit at most 50, and whether they must be found quickly. */
  private record Case(
      String what, JobFilter filter, List<Integer> lanes, int expected, boolean isFast) {
    Integer @Nullable [] laneArray() {
      return lanes.isEmpty() ? null : lanes.toArray(Integer[]::new);
    }
  }

  private static List<Case> cases() {
    JobFilter quiet = JobFilter.all().inTenant("quiet");
    JobFilter busy = JobFilter.all().inTenant("busy");
    List<Integer> one = List.of(1);
    List<Integer> two = List.of(2, 3);
    return List.of(
        new Case("quiet", quiet, one, 30, true),
        new Case("quiet queue", quiet.inQueue("mail"), one, 30, true),
        new Case("quiet COMPLETED", quiet.in(JobState.COMPLETED), one, 25, true),
        new Case("quiet DEAD", quiet.in(JobState.DEAD), one, 5, true),
        new Case("quiet PENDING", quiet.in(JobState.PENDING), one, 0, true),
        new Case("quiet key", quiet.withIdempotencyKey("key-3"), one, 1, true),
        new Case("busy", busy, two, 50, true),
        new Case("busy COMPLETED", busy.in(JobState.COMPLETED), two, 50, true),
        new Case("busy DEAD", busy.in(JobState.DEAD), two, 1, true),
        new Case("busy PENDING", busy.in(JobState.PENDING), two, 50, true),
        new Case("busy key", busy.withIdempotencyKey("key-3"), two, 0, true),
        new Case("busy batch", busy.inBatch(BATCH), two, 50, true),
        new Case("batch", JobFilter.all().inBatch(BATCH), List.of(), 50, true),
        new Case("batch DEAD", busy.inBatch(BATCH).in(JobState.DEAD), two, 1, true),
        new Case("all", JobFilter.all(), List.of(), 50, true),
        new Case("all COMPLETED", JobFilter.all().in(JobState.COMPLETED), List.of(), 50, true),
        new Case("all DEAD", JobFilter.all().in(JobState.DEAD), List.of(), 6, true),
        new Case("all CANCELLED", JobFilter.all().in(JobState.CANCELLED), List.of(), 50, true),
        new Case("all PENDING", JobFilter.all().in(JobState.PENDING), List.of(), 50, false),
        new Case("busy text", busy.containing("nowhere"), two, 0, false),
        new Case("busy metadata", busy.withMetadata(Map.of("userId", "u")), two, 0, false),
        new Case("busy long ago", busy.createdBetween(null, Instant.EPOCH), two, 0, false));
  }

  private String explain(Case of) throws SQLException {
    String name = Reader.statement(of.filter, !of.lanes.isEmpty());
    Query query = new Sql(schema).query(name);
    Query explained =
        new Query(name, "explain (analyze, buffers) " + query.text(), query.parameters());
    try (Connection connection = SERVER.connect();
        Call plan = new Call(connection, new Sql(schema).query("plan-for-lists"));
        Call call = new Call(connection, explained).plannedAnew()) {
      connection.setAutoCommit(false);
      plan.execute();
      Reader.set(call, name, of.filter, of.laneArray());
      call.set("now", (Instant) null).setOrNull("before", (UUID) null).set("limit", 51);
      return String.join("\n", call.list((ResultSet row) -> row.getString(1)));
    }
  }

  private static String lastLine(String plan) {
    return plan.substring(plan.lastIndexOf('\n') + 1);
  }

  /** A quiet tenant whose jobs are the oldest, then a busy one that cancels every fourth; its last ones wait. */
  private void fill(int jobs) {
    SERVER.run("insert into " + schema
        + ".queue (tenant, name, keep_completed_ms, keep_dead_ms) values ('quiet', 'mail', 1, 1),"
        + " ('busy', 'default', 1, 1);"
        + "insert into " + schema + ".lane (queue, type, url_group, limit_key) "
        + "values (1, 'work', '', ''), (2, 'work', '', ''), (2, 'other', '', '')");
    bodies(1, 30, 1, "'key-' || n");
    bodies(31, jobs, 2, "null");
    bodies(jobs + 31, 100, 3, "null");
    SERVER.run("update " + schema + ".job set batch = '" + BATCH + "' where id >= " + id("81")
        + " and id < " + id("141"));
    finished("n <= 25", "5");
    finished("n between 26 and 30 or n = 100", "7");
    finished("n between 31 and " + (jobs + 30) + " and n <> 100 and n % 4 > 0", "5");
    finished("n between 31 and " + (jobs + 30) + " and n <> 100 and n % 4 = 0", "8");
    SERVER.run("insert into " + schema + ".ready select 3, 10, " + id("n") + ", " + DAY
        + ", 0, 0, 0, 0, 0 from generate_series(" + (jobs + 31) + ", " + (jobs + 130) + ") n;"
        + "insert into " + schema + ".idempotency select 1, 'key-' || n, " + id("n") + ", " + DAY
        + " from generate_series(1, 30) n");
  }

  private void bodies(int first, int count, int lane, String key) {
    SERVER.run("insert into " + schema
        + ".job (shelf, id, lane, priority, created_at, payload, idempotency_key) select " + DAY
        + ", " + id("n") + ", " + lane + ", 10, now(), '{\"n\": 1}', " + key
        + " from generate_series(" + first + ", " + (first + count - 1) + ") n");
  }

  private void finished(String which, String state) {
    SERVER.run("insert into " + schema
        + ".done (shelf, id, job_shelf, lane, priority, state, attempt, turn,"
        + " strikes, replays, finished_at, expires_at) select " + DAY
        + " + 1, j.id, j.shelf, j.lane, 10, "
        + state + ", 1, 1, 0, 0, now(), now() + interval '1 day' from " + schema + ".job j"
        + " cross join lateral (select ('x' || right(j.id::text, 12))::bit(48)::bigint as n) x where "
        + which);
  }

  private static String id(String n) {
    return "('01900000-0000-7000-8000-' || lpad(to_hex(" + n + "), 12, '0'))::uuid";
  }
}
