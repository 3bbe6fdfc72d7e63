package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.JobSpec;
import io.sluice.Metadata;
import io.sluice.SluiceException;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.NewJob;
import io.sluice.store.Strikes;
import io.sluice.store.Verdict;
import io.sluice.store.WorkerSpec;
import io.sluice.testkit.ManualClock;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Retention reads no more where more is kept, and goes on where a part of it fails. */
@Tag("slow")
@Isolated("other tests change the catalog, which is then read again, and blocks are counted")
class PurgeTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final int TODAY = Shelves.dayOf(ManualClock.START);
  private static final int OLD = TODAY - 2;
  private static final int FEW = 1_000;
  private static final int MANY = 40_000;
  private static final int FEW_STRAGGLERS = 6_000;
  /** Blocks that two purges may differ by for reasons of their own. */
  private static final long NOISE = 400;

  private final Ground ground = Schemas.take(SERVER, TODAY);
  private final String schema = ground.schema();
  private final ManualClock clock = new ManualClock();
  private final MeteredSource source = new MeteredSource(SERVER);
  private PostgresStore store;

  @BeforeEach
  void open() {
    store = ground
        .store(source)
        .pooled(true)
        .clock(clock)
        .fewStragglers(FEW_STRAGGLERS)
        .build();
    store.open();
    store.insert(List.of(Sample.job()));
    store.purge();
  }

  @AfterEach
  void close() throws SQLException {
    store.close();
    source.close();
    Schemas.giveBack(ground);
  }

  @Test
  void purge_ofADayOfOutcomes_readsNoMore_howeverManyThereAre() {
    long few = least(() -> dropOutcomes(FEW));
    long many = least(() -> dropOutcomes(3 * MANY));
    assertThat(many).as("beside " + few).isLessThan(few + NOISE);
  }

  @Test
  void purge_ofADayOfBodies_readsNoMore_howeverManyOutcomesAreKept() {
    long few = least(() -> dropBodies(FEW));
    long many = least(() -> dropBodies(MANY));
    assertThat(many).as("beside " + few).isLessThan(few + NOISE);
  }

  @Test
  void purge_readsNoMore_howeverManyLinksThereAreOfJobsThatAreOver() {
    long few = least(() -> purgeBesideLinks(FEW));
    long many = least(() -> purgeBesideLinks(MANY));
    assertThat(many).as("beside " + few).isLessThan(few + NOISE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"keep-needed", "lanes"})
  void dutyOfAll_isDoneOnceAnHour_howeverOftenSomebodyPurges(String duty) {
    store.purge();
    String first = begun(duty);
    clock.advance(Duration.ofMinutes(30));
    store.purge();
    assertThat(begun(duty)).isEqualTo(first);
    clock.advance(Duration.ofMinutes(31));
    store.purge();
    assertThat(begun(duty)).isNotEqualTo(first);
  }

  private String begun(String duty) {
    return SERVER.ask("select begun_at from " + schema + ".duty where name = '" + duty + "'");
  }

  @Test
  void purge_dropsADay_whereAPartBeforeItFails() {
    makeDay("done");
    SERVER.run("alter table " + schema + ".flow_bucket rename to elsewhere");
    try {
      assertThatThrownBy(() -> store.purge())
          .isInstanceOf(SluiceException.class)
          .hasMessageContaining("flow_bucket");
      assertThat(hasDay("done")).isFalse();
    } finally {
      SERVER.run("alter table " + schema + ".elsewhere rename to flow_bucket");
    }
  }

  @Test
  void bodiesOfADay_thatAreNeededByMany_stayWhereTheyAre_forAWeek() {
    makeDay("job");
    SERVER.run("""
        insert into %1$s.job (shelf, id, lane, priority, created_at, payload)
        select %2$d, gen_random_uuid(), 1, 10, now(), '{}' from generate_series(1, %3$d);
        insert into %1$s.later (id, lane, run_at, shelf, attempt, turn, replays, priority, strikes, kind, suspect)
        select id, 1, 'infinity', shelf, 0, 0, 0, 10, 0, 1, 0 from %1$s.job where shelf = %2$d
        """.formatted(schema, OLD, FEW_STRAGGLERS + 1));
    store.purge();
    assertThat(hasDay("job")).isTrue();
    assertThat(count("job_0")).isZero();
    SERVER.run("delete from %1$s.later where id in (select id from %1$s.later limit 200)"
        .formatted(schema));
    store.purge();
    assertThat(hasDay("job")).isFalse();
    assertThat(count("job_0")).isEqualTo(count("later")).isPositive();
  }

  @Test
  void bodiesOfADay_thatAreNeededByMany_moveAfterAWeek() {
    makeDay("job");
    SERVER.run("""
        insert into %1$s.job (shelf, id, lane, priority, created_at, payload)
        select %2$d, gen_random_uuid(), 1, 10, now(), '{}' from generate_series(1, %3$d);
        insert into %1$s.later (id, lane, run_at, shelf, attempt, turn, replays, priority, strikes, kind, suspect)
        select id, 1, 'infinity', shelf, 0, 0, 0, 10, 0, 1, 0 from %1$s.job where shelf = %2$d
        """.formatted(schema, OLD, FEW_STRAGGLERS + 1));
    clock.advance(Duration.ofDays(6));
    store.purge();
    assertThat(hasDay("job")).isFalse();
    assertThat(count("job_0")).isEqualTo(count("later") + count("ready"));
  }

  @Test
  void expiries_ofJobsThatAreOver_goWithTheirBodies() {
    Instant expiry = clock.instant().plus(Duration.ofDays(365));
    List<NewJob> jobs =
        Sample.jobs(3).stream().map(job -> expiring(job, expiry)).toList();
    List<NewJob> bulk =
        Sample.jobs(600).stream().map(job -> expiring(job, expiry)).toList();
    store.insert(jobs);
    store.insert(bulk);
    long worker =
        store.workers().register(new WorkerSpec("w", 1, Set.of(), Set.of()), Duration.ofDays(999));
    List<ClaimedJob> claimed = Sample.claim(store, worker, 700);
    ClaimedJob left = claimed.getLast();
    store.finish(Sample.completed(claimed.subList(0, claimed.size() - 1)));
    store.finish(List.of(new Finish(left.ref(), Verdict.unspent(Strikes.NONE))));
    assertThat(count("expiry")).isEqualTo(603);
    clock.advance(Duration.ofDays(4));
    store.purge();
    assertThat(count("expiry")).isEqualTo(1);
    clock.advance(Duration.ofDays(365));
    store.purge();
    assertThat(store.expire(10)).containsExactly(left.ref().job());
  }

  private static NewJob expiring(NewJob job, Instant expiry) {
    JobSpec spec = job.spec();
    return new NewJob(
        job.id(),
        job.lane(),
        new JobSpec(spec.payload(), spec.priority(), null, null, null, expiry, Metadata.NONE),
        job.when(),
        false);
  }

  /** The least of three: now and then statements are planned anew, which reads as well. */
  private static long least(LongSupplier blocks) {
    return LongStream.range(0, 3).map(i -> blocks.getAsLong()).min().orElseThrow();
  }

  /** The blocks that it takes to drop a day with this many outcomes. */
  private long dropOutcomes(int outcomes) {
    makeDay("done");
    fill(OLD, OLD - 1, outcomes);
    long blocks = source.blocks(() -> store.purge());
    assertThat(hasDay("done")).isFalse();
    return blocks;
  }

  /** The blocks that it takes to drop a day of bodies while this many outcomes of another day are kept. */
  private long dropBodies(int outcomes) {
    makeDay("job");
    fill(TODAY + 1, TODAY, outcomes);
    long blocks = source.blocks(() -> store.purge());
    assertThat(hasDay("job")).isFalse();
    return blocks;
  }

  /** The blocks that a purge with nothing to do touches, after this many more links of finished jobs. */
  private long purgeBesideLinks(int links) {
    SERVER.run("""
        insert into %1$s.link (successor, place, predecessor, name, shelf, open)
        select gen_random_uuid(), 0, gen_random_uuid(), 'x', %2$d, false from generate_series(1, %3$d);
        """.formatted(schema, TODAY, links));
    clock.advance(Duration.ofHours(2));
    return source.blocks(() -> store.purge());
  }

  private void makeDay(String kind) {
    SERVER.run("select " + schema + ".make_shelf('" + kind + "', " + OLD + ")");
  }

  private boolean hasDay(String kind) {
    return SERVER
        .ask("select to_regclass('" + schema + "." + kind + "_" + OLD + "') is not null")
        .equals("t");
  }

  private long count(String table) {
    return Long.parseLong(SERVER.ask("select count(*) from " + schema + "." + table));
  }

  /** Outcomes that expire on a day, of jobs that were made on another. */
  private void fill(int day, int made, int outcomes) {
    SERVER.run("""
        insert into %s.done (shelf, id, job_shelf, lane, priority, state, attempt, turn, strikes, replays,
          finished_at, expires_at)
        select %d, gen_random_uuid(), %d, 1, 10, 5, 1, 1, 0, 0, t.t, t.t
        from generate_series(1, %d), (select to_timestamp(%2$d * 86400.0) as t) t
        """.formatted(schema, day, made, outcomes));
  }
}
