package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.When;
import io.sluice.store.LaneHead;
import io.sluice.store.NewJob;
import io.sluice.store.WorkerSpec;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.ManualClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Lanes that have no jobs go, none goes that a job is on its way to, and those of others cost nothing. */
@Tag("slow")
class LaneKeeperTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final int MANY = 3_000;

  private final Ground ground = Schemas.take(SERVER, Shelves.dayOf(ManualClock.START));
  private final String schema = ground.schema();
  private final ManualClock clock = new ManualClock();
  private final MeteredSource source = new MeteredSource(SERVER);
  private PostgresStore store;
  private PostgresStore other;
  private long worker;

  @BeforeEach
  void open() {
    store = ground.store().clock(clock).build();
    store.open();
    other = ground.store(source).pooled(true).clock(clock).build();
    other.open();
    worker =
        store.workers().register(new WorkerSpec("w", 1, Set.of(), Set.of()), Duration.ofDays(999));
  }

  @AfterEach
  void close() throws SQLException {
    store.close();
    other.close();
    source.close();
    Schemas.giveBack(ground);
  }

  private static NewJob keyed(int key) {
    Lane lane = new Lane("default", "default", "sample", "", "key-" + key);
    return Sample.job(lane, "{}", null, When.now());
  }

  private static List<NewJob> keyed(int from, int to) {
    return IntStream.range(from, to).mapToObj(LaneKeeperTest::keyed).toList();
  }

  private void complete(int jobs) {
    store.finish(Sample.completed(Sample.claim(store, worker, jobs)));
  }

  private String lanes() {
    return SERVER.ask("select count(*) from " + schema + ".lane");
  }

  /** Lets hours pass, with housekeeping in each. */
  private void pass(int hours) {
    for (int hour = 0; hour < hours; hour++) {
      clock.advance(Duration.ofMinutes(61));
      store.purge();
    }
  }

  /** Transactions of others, in other schemas, hold the removal up. */
  private void awaitLanes(String left) {
    Eventually.await("lanes are removed", () -> {
      pass(1);
      return lanes().equals(left);
    });
  }

  @Test
  void lanesWithoutJobs_areRemoved_andComeAgain() {
    store.insert(keyed(0, 20));
    other.insert(keyed(0, 20));
    complete(39);
    assertThat(lanes()).isEqualTo("20");
    clock.advance(Duration.ofDays(4));
    awaitLanes("1");
    for (PostgresStore each : List.of(store, other)) {
      each.insert(keyed(0, 20));
      each.insert(List.of(keyed(5)));
      assertThat(Sample.claim(each, worker, 100)).hasSizeBetween(21, 22);
    }
    assertThat(lanes()).isEqualTo("20");
    assertThat(store
            .page(JobFilter.all().inTenant("default").in(JobState.RUNNING), null, 100)
            .items())
        .hasSize(43);
  }

  @Test
  void aLaneThatIsClosed_isOpenedByTheNextJob() {
    store.insert(List.of(keyed(1)));
    complete(1);
    clock.advance(Duration.ofDays(4));
    pass(2);
    assertThat(SERVER.ask("select count(closed) from " + schema + ".lane")).isEqualTo("1");
    other.insert(List.of(keyed(1)));
    store.insert(List.of(keyed(1)));
    assertThat(SERVER.ask("select count(closed) from " + schema + ".lane")).isEqualTo("0");
    pass(4);
    assertThat(Sample.claim(store, worker, 9)).hasSize(2);
  }

  @Test
  void aLane_thatAnOpenTransactionPutAJobInto_stays() throws SQLException {
    store.insert(List.of(keyed(1)));
    complete(1);
    clock.advance(Duration.ofDays(4));
    store.purge();
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      store.insert(connection, List.of(keyed(1)));
      pass(6);
      assertThat(lanes()).isEqualTo("1");
      connection.commit();
    }
    assertThat(Sample.claim(store, worker, 9)).hasSize(1);
  }

  @Test
  void theSqlFunction_opensALaneThatIsClosed() {
    SERVER.ask("select " + schema + ".enqueue('sample')");
    complete(1);
    clock.advance(Duration.ofDays(4));
    pass(2);
    assertThat(SERVER.ask("select count(closed) from " + schema + ".lane")).isEqualTo("1");
    SERVER.ask("select " + schema + ".enqueue('sample')");
    pass(4);
    assertThat(lanes()).isEqualTo("1");
    assertThat(Sample.claim(store, worker, 9)).hasSize(1);
  }

  @Test
  void theHeadsOfAQueue_costNoMore_howeverManyLanesOthersHave() {
    store.insert(List.of(Sample.jobOf("quiet")));
    long few = source.leastBlocks(() -> other.heads("quiet", "default"));
    store.insert(keyed(0, MANY));
    long many = source.leastBlocks(() -> other.heads("quiet", "default"));
    assertThat(many).as("beside " + few).isLessThan(few + MANY / 2);
    assertThat(other.heads("default", "default")).hasSize(MANY);
    assertThat(other.heads("quiet", "default"))
        .extracting(LaneHead::lane)
        .containsExactly(Sample.jobOf("quiet").lane());
  }

  @Test
  void aPage_ofManyLanes_readsAboutWhatItShows() {
    store.insert(keyed(0, MANY));
    complete(MANY / 2);
    SERVER.analyze(schema);
    JobFilter all = JobFilter.all().inTenant("default");
    for (JobFilter filter : List.of(all, all.in(JobState.COMPLETED), all.in(JobState.DEAD))) {
      long blocks = source.leastBlocks(() -> other.page(filter, null, 50));
      assertThat(blocks).as(filter.toString()).isLessThan(MANY * 10L);
    }
    assertThat(other.page(all, null, 50).items()).hasSize(50);
    assertThat(other.page(all.in(JobState.DEAD), null, 50).items()).isEmpty();
    assertThat(other.page(all.in(JobState.PENDING), null, 50).items()).hasSize(50);
  }
}
