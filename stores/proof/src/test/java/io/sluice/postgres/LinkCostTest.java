package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.store.ClaimedJob;
import io.sluice.store.NewJob;
import io.sluice.testkit.Eventually;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What links and batches cost: plain jobs next to nothing, and many members few statements. */
@Tag("slow")
class LinkCostTest {
  private static final int JOBS = 50;
  private static final int CHAIN = 2_000;
  /** After so many calls a statement has the plan that it keeps. */
  private static final int PLANNED = 12;

  private static final int WALK = 200;

  private final String schema = Server.newSchema();
  private Server server = Server.POSTGRES_18;
  private long worker;

  @AfterEach
  void drop() {
    server.run("drop schema if exists " + schema + " cascade");
  }

  @ParameterizedTest
  @MethodSource("io.sluice.postgres.Server#measured")
  void theEndOfPlainJobs_touchesNoMore_besideManyLinks(Server one) throws SQLException {
    server = one;
    try (PostgresStore store = server.store(schema).build()) {
      store.open();
      server.makeWeek(schema);
      List<NewJob> jobs = Sample.jobs(JOBS);
      store.insert(jobs);
      worker = Sample.worker(store);
      Sample.claim(store, worker, JOBS);
      List<UUID> ids = jobs.stream().map(NewJob::id).toList();
      int alone = blocks("complete", ids);
      link(20_000);
      assertThat(blocks("complete", ids)).as("never analysed").isLessThan(alone + 4 * JOBS);
      server.run("analyze " + schema + ".link; analyze " + schema + ".later");
      assertThat(blocks("complete", ids)).as("analysed").isLessThan(alone + 4 * JOBS);
      server.run("update " + schema + ".link set open = false");
      assertThat(blocks("complete", ids)).as("all closed").isLessThan(alone + 4 * JOBS);
    }
  }

  @ParameterizedTest
  @MethodSource("io.sluice.postgres.Server#measured")
  void theEndOfAPredecessor_touchesItsSuccessorsAlone(Server one) throws SQLException {
    server = one;
    try (PostgresStore store = server.store(schema).build()) {
      store.open();
      server.makeWeek(schema);
      NewJob first = Sample.job();
      store.insert(List.of(first));
      store.insert(List.of(Sample.after("next", first.id())));
      worker = Sample.worker(store);
      Sample.claim(store, worker, 1);
      blocks("complete", List.of(first.id()));
      link(20_000);
      assertThat(blocks("complete", List.of(first.id()))).as("never analysed").isLessThan(400);
      server.run("analyze " + schema + ".link; analyze " + schema + ".later");
      assertThat(blocks("complete", List.of(first.id()))).as("analysed").isLessThan(400);
      server.run("delete from " + schema + ".link where name = 'x'");
      assertThat(blocks("complete", List.of(first.id()))).as("most is gone").isLessThan(400);
    }
  }

  @ParameterizedTest
  @MethodSource("io.sluice.postgres.Server#measured")
  void whatWaitsAndRuns_isFoundByItsIndexes(Server one) throws SQLException {
    server = one;
    try (PostgresStore store = server.store(schema).build()) {
      store.open();
      server.makeWeek(schema);
      UUID batch = Sample.id();
      List<NewJob> members = Sample.members(batch, 5);
      store.links().start(Sample.batch(batch, Sample.callback(batch)), members);
      store.insert(Sample.jobs(20_000));
      link(20_000);
      UUID member = members.getFirst().id();
      for (String when : List.of("never analysed", "analysed")) {
        if (when.equals("analysed")) {
          server.analyze(schema);
        }
        assertThat(blocks(
                "hold-predecessors",
                call -> call.set("ids", List.of(member, batch))
                    .set("tenant", "default")
                    .set("now", (Instant) null)))
            .as(when)
            .isLessThan(200);
        assertThat(blocks("unfinished", call -> call.set("id", batch).set("max", 100)))
            .as(when)
            .isLessThan(50);
        assertThat(blocks(
                "cancel",
                call -> call.set("ids", List.of(member))
                    .set("reason", "no")
                    .setOrNull("keep", (Long) null)
                    .set("now", (Instant) null)))
            .as(when)
            .isLessThan(300);
        assertThat(blocks("end-batch", call -> call.set("id", batch).set("now", (Instant) null)))
            .as(when)
            .isLessThan(50);
        assertThat(blocks("successors", call -> call.set("id", batch).set("max", 100)))
            .as(when)
            .isLessThan(50);
      }
    }
  }

  /** So many jobs that wait for as many others. */
  private void link(int n) {
    server.run("set search_path = " + schema + ";"
        + "insert into link select gen_random_uuid(), 0, gen_random_uuid(), 'x', 0, true "
        + "from generate_series(1, " + n + ");"
        + "insert into later (id, lane, run_at, shelf, attempt, turn, replays, priority, strikes, kind, "
        + "suspect, waits, failed, policy) select successor, 1, 'infinity', 0, 0, 0, 0, 10, 0, 1, 0, 1, 0, 1 "
        + "from link where name = 'x'");
  }

  /** The blocks that the end of these jobs touches, which is then taken back. */
  private int blocks(String name, List<UUID> ids) throws SQLException {
    Integer[] turns = ids.stream().map(id -> 1).toArray(Integer[]::new);
    return blocks(
        name,
        call -> call.set("now", (Instant) null)
            .set("ids", ids)
            .set("turns", "int4", turns)
            .set("worker", worker)
            .set("given", ids.size())
            .set("keep", 1_000_000L));
  }

  private interface Setting {
    Call on(Call call) throws SQLException;
  }

  /** The blocks that a statement touches once it is planned; each run is rolled back. */
  private int blocks(String name, Setting parameters) throws SQLException {
    Query query = new Sql(schema).query(name);
    Query explained =
        new Query("explain", "explain (analyze, buffers) " + query.text(), query.parameters());
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("set plan_cache_mode = force_generic_plan; set jit = off; "
          + "set enable_seqscan = off; set enable_bitmapscan = off");
      connection.setAutoCommit(false);
      int least = PlanBlocks.least(() -> explain(connection, explained, parameters));
      assertThat(least).as(name).isPositive();
      return least;
    }
  }

  private static String explain(Connection connection, Query explained, Setting parameters)
      throws SQLException {
    try (Call call = new Call(connection, explained)) {
      return String.join("\n", parameters.on(call).list((ResultSet row) -> row.getString(1)));
    } finally {
      connection.rollback();
    }
  }

  /** A store whose statements are counted. */
  private PostgresStore counting(AtomicInteger statements) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(server.url());
    return PostgresStore.builder()
        .dataSource(counted(source, statements))
        .schema(schema)
        .build();
  }

  @Test
  void tenThousandMembers_areFewStatements() {
    AtomicInteger statements = new AtomicInteger();
    try (PostgresStore store = counting(statements)) {
      store.open();
      server.makeWeek(schema);
      UUID warm = Sample.id();
      store.links().start(Sample.batch(warm, null), Sample.members(warm, 1));
      UUID batch = Sample.id();
      List<NewJob> members = Sample.members(batch, 10_000);
      statements.set(0);
      store.links().start(Sample.batch(batch, Sample.callback(batch)), members);
      assertThat(statements.get()).isLessThan(15);
      assertThat(
              server.ask("select count(*) from " + schema + ".ready where batch = '" + batch + "'"))
          .isEqualTo("10000");
      assertThat(server.ask("select count(*) from " + schema + ".link")).isEqualTo("1");
      statements.set(0);
      assertThat(store.cancelAll(store.links().unfinished(batch, 5_000), "no")).hasSize(5_000);
      assertThat(store.cancelAll(store.links().unfinished(batch, 5_000), "no")).hasSize(5_000);
      assertThat(statements.get()).isLessThan(15);
    }
  }

  @Test
  void endsInManyBatches_thatAreNotOver_areFewStatements() {
    AtomicInteger statements = new AtomicInteger();
    try (PostgresStore store = counting(statements)) {
      store.open();
      List<UUID> batches = Stream.generate(Sample::id).limit(40).toList();
      for (UUID batch : batches) {
        store.links().start(Sample.batch(batch, null), Sample.members(batch, 2));
      }
      long worker = Sample.worker(store);
      List<ClaimedJob> members = Sample.claim(store, worker, 80);
      statements.set(0);
      // The two of a batch were enqueued together, and so are claimed together.
      store.finish(Sample.completed(
          IntStream.range(0, 40).mapToObj(i -> members.get(2 * i)).toList()));
      assertThat(statements.get()).isLessThan(15);
      store.finish(Sample.completed(
          IntStream.range(0, 40).mapToObj(i -> members.get(2 * i + 1)).toList()));
      assertThat(batches)
          .allMatch(batch -> store.links().find(batch).orElseThrow().isOver());
    }
  }

  @Test
  void manyJobs_areReplayedAndDeleted_inFewStatements() {
    AtomicInteger statements = new AtomicInteger();
    try (PostgresStore store = counting(statements)) {
      store.open();
      List<NewJob> jobs = Sample.jobs(JOBS);
      store.insert(jobs);
      List<UUID> ids = jobs.stream().map(NewJob::id).toList();
      store.cancelAll(ids, "no");
      statements.set(0);
      assertThat(store.replayAll(ids)).hasSize(JOBS);
      assertThat(statements.get()).isLessThan(15);
      store.cancelAll(ids, "no");
      statements.set(0);
      assertThat(store.deleteAll(ids)).hasSize(JOBS);
      assertThat(statements.get()).isLessThan(15);
    }
  }

  @Test
  void aLongChain_comesBackInFewStatements() {
    AtomicInteger statements = new AtomicInteger();
    try (PostgresStore store = counting(statements)) {
      store.open();
      server.makeWeek(schema);
      List<NewJob> chain = new ArrayList<>(List.of(Sample.job()));
      while (chain.size() < CHAIN) {
        chain.add(Sample.after("next", chain.getLast().id()));
      }
      store.insert(chain);
      UUID first = chain.getFirst().id();
      store.cancel(first, "no", Duration.ofHours(1));
      assertThat(server.ask("select count(*) from " + schema + ".done")).isEqualTo("" + CHAIN);
      statements.set(0);
      assertThat(store.links().revive(first)).hasSize(CHAIN);
      assertThat(statements.get()).isLessThan(15);
      assertThat(server.ask("select count(*) from " + schema + ".later where waits = 1"))
          .isEqualTo("" + (CHAIN - 1));
    }
  }

  /** What is read is told by the server now and then, so that it may be of several walks. */
  @Test
  void walksLookUpWhatTheyVisit_alsoWithAPlanOfSmallTables() {
    try (PostgresStore store = server.store(schema).build()) {
      store.open();
      server.makeWeek(schema);
      UUID batch = Sample.id();
      List<NewJob> chain = chainIn(batch);
      UUID first = chain.getFirst().id();
      List<Runnable> walks = List.of(
          () -> store.links().successors(first, CHAIN),
          () -> store.links().graph(first, CHAIN),
          () -> store.links().unfinished(batch, CHAIN));
      store.links().start(Sample.open(batch, null), chain.subList(0, 2));
      server.analyze(schema);
      for (int i = 0; i < PLANNED; i++) {
        walks.forEach(Runnable::run);
      }
      store.insert(chain.subList(2, WALK));
      link(20_000);
      walks.forEach(this::assertReadsFew);
      assertThat(store.links().successors(first, CHAIN)).hasSize(WALK - 1);
      assertThat(store.links().unfinished(batch, CHAIN)).hasSize(WALK - 1);
    }
  }

  /** Jobs of a batch, each of which waits for the one before it. */
  private static List<NewJob> chainIn(UUID batch) {
    List<NewJob> chain = new ArrayList<>(Sample.members(batch, 1));
    while (chain.size() < WALK) {
      NewJob next = Sample.after("next", chain.getLast().id());
      chain.add(Sample.tied(next, next.spec().ties().in(batch)));
    }
    return chain;
  }

  private void assertReadsFew(Runnable walk) {
    long before = rowsRead();
    AtomicInteger walks = new AtomicInteger();
    Eventually.await("the server tells of a walk", () -> {
      walk.run();
      walks.incrementAndGet();
      return rowsRead() > before + WALK;
    });
    assertThat(rowsRead() - before).isLessThan(100L * WALK * walks.get());
  }

  /** Rows of links and of jobs that wait, as far as the server has told. */
  private long rowsRead() {
    return Long.parseLong(server.ask("select sum(coalesce(t.seq_tup_read, 0) + i.read)::bigint"
        + " from pg_stat_user_tables t cross join lateral (select sum(i.idx_tup_read) as read"
        + " from pg_stat_user_indexes i where i.relid = t.relid) i"
        + " where t.relname in ('link', 'later') and t.schemaname = '" + schema + "'"));
  }

  /** The source, with every statement counted that is prepared or copied through it. */
  private static DataSource counted(DataSource source, AtomicInteger statements) {
    return proxy(DataSource.class, source, statements);
  }

  private static <T> T proxy(Class<T> type, Object target, AtomicInteger statements) {
    return type.cast(Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
          if (method.getName().equals("prepareStatement") || method.getName().equals("unwrap")) {
            statements.incrementAndGet();
          }
          try {
            Object result = method.invoke(target, arguments);
            return result instanceof Connection connection
                    && method.getName().equals("getConnection")
                ? proxy(Connection.class, connection, statements)
                : result;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        }));
  }
}
