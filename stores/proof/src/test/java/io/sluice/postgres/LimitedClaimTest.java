package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.Limit;
import io.sluice.Ordering;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.RateLimit.Per;
import io.sluice.Scope;
import io.sluice.When;
import io.sluice.store.Claim;
import io.sluice.store.Claimed;
import io.sluice.store.ClaimedJob;
import io.sluice.store.LaneQuota;
import io.sluice.store.SpentLimit;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.ds.PGSimpleDataSource;

/** What only this store has to mind under limits: rows that others hold, and tables of before. */
class LimitedClaimTest {
  private static final Server SERVER = Server.POSTGRES_18;

  private final Ground ground = Schemas.take(SERVER);
  private final String schema = ground.schema();
  private final PostgresStore store = ground.store().build();
  private long worker;

  @BeforeEach
  void open() {
    store.open();
    worker = Sample.worker(store);
  }

  @AfterEach
  void clear() {
    store.close();
    Schemas.giveBack(ground);
  }

  private void add(int jobs, Lane lane) {
    store.insert(IntStream.range(0, jobs)
        .mapToObj(i -> Sample.job(lane, "{}", null, When.now()))
        .toList());
  }

  private Claimed claim(int max) {
    List<LaneQuota> lanes = store.heads().stream()
        .map(head -> new LaneQuota(head.laneId(), head.priority(), max))
        .toList();
    return store.claim(new Claim(worker, lanes, max));
  }

  @ParameterizedTest
  @ValueSource(strings = {"flow_limit where kind = 'TENANT'", "queue where name = 'mail'"})
  void lanesUnderALimitThatAnotherClaimHolds_areLeftOut_andTriedAgainSoon(String row)
      throws SQLException {
    store.queues().save(QueueSettings.of("acme", "mail").withMaxConcurrent(100));
    store.limits().save(new Limit(Scope.tenant("acme"), null, 100));
    add(2, Lane.of("acme", "mail", "sample"));
    add(2, Lane.of("default", "default", "sample"));
    try (Connection other = SERVER.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select 1 from " + schema + "." + row + " for no key update");
      Claimed claimed = claim(10);
      assertThat(claimed.jobs()).extracting(job -> job.lane().tenant()).containsOnly("default");
      assertThat(claimed.spent())
          .extracting(SpentLimit::retryIn)
          .containsExactly(Duration.ofMillis(2));
      other.rollback();
    }
    assertThat(claim(10).jobs()).hasSize(2);
  }

  /** Another job of the order must not pass the one that is being moved to another shelf. */
  @Test
  void theFirstJobOfAnOrder_isNotPassed_whileSomebodyHoldsItsRow() throws SQLException {
    store.queues().save(QueueSettings.of("default", "fifo").withOrdered(Ordering.QUEUE));
    add(3, Lane.of("default", "fifo", "sample"));
    try (Connection other = SERVER.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("select 1 from " + schema + ".ready order by id limit 1 for update");
      assertThat(claim(10).jobs()).isEmpty();
      other.rollback();
    }
    assertThat(claim(10).jobs()).hasSize(1);
  }

  @Test
  void aClaimThatStandsStill_isCutOffByTheServer() throws SQLException {
    Sql sql = new Sql(schema);
    try (Connection connection = SERVER.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute(sql.query("begin-limited").text());
      try (var row = statement.executeQuery("show idle_in_transaction_session_timeout")) {
        assertThat(row.next()).isTrue();
        assertThat(row.getString(1)).isEqualTo("2s");
      }
      connection.rollback();
    }
  }

  @Test
  void lanesThatShareLimitsByTurns_areAllServed_overSeveralClaims() {
    store.limits().save(new Limit(Scope.type("default", "a"), null, 15));
    store.limits().save(new Limit(Scope.type("default", "b"), null, 15));
    for (int i = 0; i < 20; i++) {
      add(1, new Lane("default", "default", i % 2 == 0 ? "a" : "b", "g" + i, ""));
    }
    int got = 0;
    for (int i = 0; i < 3; i++) {
      Claimed claimed = claim(100);
      got += claimed.jobs().size();
      assertThat(claimed.spent()).allMatch(spent -> Duration.ofMillis(2).equals(spent.retryIn()));
    }
    assertThat(got).isEqualTo(20);
  }

  @Test
  void tablesOfTheVersionBefore_keepTheirLimits_andWhatRunsCounts() throws SQLException {
    String old = Server.newSchema();
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(SERVER.url());
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      Migrator.ofJobs(source, old).run(connection, Set.of(1, 2, 3));
      connection.commit();
    }
    SERVER.run("""
        insert into S.queue (tenant, name, keep_completed_ms, keep_dead_ms, max_concurrent, ordered,
          rate_per_second, rate_burst)
        values ('default', 'narrow', 1, 1, 2, 'NONE', null, null),
          ('default', 'fifo', 1, 1, null, 'QUEUE', null, null),
          ('default', 'slow', 1, 1, null, 'NONE', 2.5, 7);
        insert into S.lane (queue, type, url_group, limit_key)
        select q.id, 'sample', '', '' from S.queue q;
        insert into S.running (id, worker, claimed_at, lane, shelf, attempt, turn, replays, priority,
          strikes, suspect, started, limited)
        select gen_random_uuid(), 1, now(), l.id, 0, 1, 1, 0, 10, 0, 0, true,
          case when q.name = 'narrow' then q.id end
        from S.lane l join S.queue q on q.id = l.queue;
        """.replace("S.", old + "."));
    try (PostgresStore upgraded = SERVER.store(old).build()) {
      upgraded.open();
      long here = Sample.worker(upgraded);
      for (String queue : List.of("narrow", "fifo", "slow")) {
        upgraded.insert(List.of(
            Sample.job(queue, "{}", null),
            Sample.job(queue, "{}", null),
            Sample.job(queue, "{}", null)));
      }
      assertThat(Sample.claim(upgraded, here, 10))
          .extracting(job -> job.lane().queue())
          .containsExactlyInAnyOrder("narrow", "slow", "slow", "slow");
      assertThat(
              upgraded.queues().find("default", "slow").orElseThrow().settings().rateLimit())
          .isEqualTo(new RateLimit(2.5, Per.SECOND, 7));
    }
    SERVER.run("drop schema " + old + " cascade");
  }

  @Test
  void manyKeysOfAPattern_areServedInOneClaim() {
    store.limits().save(new Limit(Scope.key("default", "c-*"), null, 1));
    for (int i = 0; i < 100; i++) {
      add(2, new Lane("default", "default", "sample", "", "c-" + i));
    }
    assertThat(claim(200).jobs()).hasSize(100).extracting(ClaimedJob::lane).doesNotHaveDuplicates();
  }
}
