package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.ErrorCode;
import io.sluice.Lane;
import io.sluice.QueueFull;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.When;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.NewJob;
import io.sluice.store.TenantCap;
import io.sluice.testkit.Together;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The cap of a tenant, on every way in and beside whatever else goes on. */
class TenantCapTest {
  private static final Server SERVER = Server.POSTGRES_18;

  private final Ground ground = Schemas.take(SERVER);
  private final String schema = ground.schema();
  private PostgresStore store;
  private PostgresStore other;

  @BeforeEach
  void open() {
    store = ground.store().build();
    store.open();
    other = ground.store().build();
    other.open();
  }

  @AfterEach
  void drop() {
    store.close();
    other.close();
    Schemas.giveBack(ground);
  }

  /** The ways to put jobs into a tenant; each answers how many it put in. */
  private interface Way {
    int put() throws SQLException;
  }

  private List<Way> ways(PostgresStore through) {
    return List.of(
        () -> put(through, 1, "default"),
        () -> put(through, 3, "mail"),
        () -> put(through, 600, "mail"),
        () -> inTransaction(through),
        this::bySql);
  }

  private static int put(PostgresStore through, int jobs, String queue) {
    try {
      return through.insert(jobs(jobs, queue)).size();
    } catch (QueueFull e) {
      return 0;
    }
  }

  private static int inTransaction(PostgresStore through) throws SQLException {
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      int taken = through.insert(connection, jobs(2, "default")).size();
      connection.commit();
      return taken;
    } catch (QueueFull e) {
      return 0;
    }
  }

  private int bySql() throws SQLException {
    try (Connection connection = SERVER.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("select " + schema + ".enqueue('sample', tenant := 'acme')");
      return 1;
    } catch (SQLException e) {
      assertThat(e.getMessage()).contains("QUEUE_FULL: tenant 'acme'");
      return 0;
    }
  }

  private static List<NewJob> jobs(int n, String queue) {
    return IntStream.range(0, n)
        .mapToObj(i -> Sample.job(Lane.of("acme", queue, "sample"), "{\"n\":1}", null, When.now()))
        .toList();
  }

  @Test
  void cap_isReachedAndNotExceeded_onEveryWay() {
    store.queues().save(QueueSettings.of("acme", "mail"));
    store.queues().capTenant("acme", TenantCap.of(2_000));
    AtomicInteger taken = new AtomicInteger();
    Together.run(10, i -> () -> {
      Way way = ways(i % 2 == 0 ? store : other).get(i / 2);
      for (int call = 0; call < 15; call++) {
        taken.addAndGet(way.put());
      }
      return i;
    });
    while (taken.get() <= 2_000 && put(store, 1, "default") == 1) {
      taken.incrementAndGet();
    }
    assertThat(taken).hasValue(2_000);
    assertThat(ready()).isEqualTo(2_000);
    assertThat(size()).isEqualTo(2_000);
  }

  @Test
  void count_isExact_whenTheCapComesAndGoesWhileJobsComeInAndEnd() {
    store.queues().save(QueueSettings.of("acme", "mail"));
    long worker = Sample.worker(store);
    Together.run(7, i -> () -> {
      for (int call = 0; call < 12; call++) {
        switch (i) {
          case 0 ->
            store.queues().capTenant("acme", call % 3 == 1 ? null : TenantCap.of(1_000_000));
          case 1 -> store.finish(Sample.completed(Sample.claim(store, worker, 20)));
          default -> ways(call % 2 == 0 ? store : other).get(i - 2).put();
        }
      }
      return i;
    });
    store.queues().capTenant("acme", TenantCap.of(1_000_000));
    long unfinished = ready();
    assertThat(size()).isEqualTo(unfinished);
    store.queues().capTenant("acme", TenantCap.of(unfinished + 1));
    assertThat(put(other, 2, "mail")).isZero();
    assertThat(put(other, 1, "mail")).isEqualTo(1);
    assertThat(put(store, 1, "mail")).isZero();
  }

  /** Or some would be counted and others not. */
  @Test
  void jobsOfOneCall_seeOneStateOfTheirQueue_thoughItIsCappedMeanwhile() throws SQLException {
    AtomicInteger looks = new AtomicInteger();
    List<NewJob> jobs = List.of(
        Sample.job(Lane.of("acme", "default", "one"), "{}", null, When.now()),
        Sample.job(Lane.of("acme", "default", "other"), "{}", null, When.now()),
        Sample.job(Lane.of("acme", "default", "one"), "{}", null, When.now()));
    List<Draft> drafts = Inserter.drafts(jobs, lane -> {
      boolean capped = looks.incrementAndGet() > 1;
      return new Catalog.Home(
          new Catalog.Queue(7, false, capped, false), new Catalog.OpenLane(looks.get(), 1));
    });
    assertThat(drafts).extracting(Draft::queue).containsOnly(drafts.getFirst().queue());
    assertThat(drafts).extracting(Draft::lane).containsExactly(1, 2, 1);
  }

  @Test
  void cap_holdsInQueues_thatAreMadeWhileItIsSet() {
    Together.run(8, i -> () -> {
      if (i == 0) {
        store.queues().capTenant("acme", TenantCap.of(100));
      } else if (i % 2 == 0) {
        (i % 4 == 0 ? store : other).queues().save(QueueSettings.of("acme", "q" + i));
      } else {
        bySql();
      }
      return i;
    });
    assertThat(SERVER.ask("select bool_and(q.tenant_capped) and count(z.queue) = count(*) from "
            + schema + ".queue q left join " + schema + ".queue_size z on z.queue = q.id"))
        .isEqualTo("t");
    assertThat(size()).isEqualTo(ready());
  }

  @Test
  void cap_isNotPassed_byATransactionThatSeesThePast() throws SQLException {
    store.queues().capTenant("acme", TenantCap.of(3));
    try (Connection connection = SERVER.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      try (ResultSet row = statement.executeQuery("select count(*) from " + schema + ".ready")) {
        assertThat(row.next()).isTrue();
      }
      assertThat(put(store, 3, "default")).isEqualTo(3);
      SluiceException refused = catchThrowableOfType(
          SluiceException.class, () -> store.insert(connection, jobs(1, "default")));
      assertThat(refused.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
      connection.rollback();
    }
    assertThat(ready()).isEqualTo(3);
  }

  /** As a callback does: it comes in with the end of its job, and others come in beside it. */
  @Test
  void jobThatReplacesAnother_waitsForNobodyInACircle() {
    store.queues().save(QueueSettings.of("acme", "mail").withMaxSize(40L));
    store.queues().capTenant("acme", TenantCap.of(40));
    put(store, 40, "mail");
    long worker = Sample.worker(store);
    List<ClaimedJob> claimed = Sample.claim(store, worker, 40);
    Together.run(8, i -> () -> {
      for (ClaimedJob job : claimed.subList(i * 5, i * 5 + 5)) {
        try (Connection connection = SERVER.connect()) {
          connection.setAutoCommit(false);
          assertThat(store.finish(connection, new Finish(job.ref(), Sample.COMPLETED)))
              .isTrue();
          store.insert(connection, jobs(1, "mail"));
          connection.commit();
        }
        assertThat(put(other, 1, "mail")).isZero();
      }
      return i;
    });
    assertThat(size()).isEqualTo(40);
  }

  @Test
  void comingIn_andEnding_doNotWaitForEachOther() throws SQLException {
    store.queues().save(QueueSettings.of("acme", "mail").withMaxSize(10L));
    store.queues().capTenant("acme", TenantCap.of(10));
    put(store, 9, "mail");
    List<ClaimedJob> claimed = Sample.claim(store, Sample.worker(store), 2);
    try (Connection ending = SERVER.connect();
        Connection coming = SERVER.connect()) {
      ending.setAutoCommit(false);
      coming.setAutoCommit(false);
      assertThat(store.finish(ending, new Finish(claimed.getFirst().ref(), Sample.COMPLETED)))
          .isTrue();
      assertThat(put(other, 2, "mail")).as("it has not ended yet for others").isZero();
      assertThat(store.insert(coming, jobs(1, "mail"))).hasSize(1);
      ending.commit();
      assertThat(store.finish(Sample.completed(claimed.subList(1, 2)))).hasSize(1);
      coming.commit();
    }
    assertThat(put(other, 2, "mail")).isEqualTo(2);
    assertThat(put(other, 1, "mail")).isZero();
    assertThat(size()).isEqualTo(10);
  }

  private long ready() {
    return Long.parseLong(SERVER.ask("select count(*) from " + schema + ".ready"));
  }

  private long size() {
    return store.queues().tenantSizes().getFirst().unfinished();
  }
}
