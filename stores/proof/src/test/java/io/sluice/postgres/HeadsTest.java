package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.When;
import io.sluice.store.Claim;
import io.sluice.store.ClaimedJob;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneQuota;
import io.sluice.store.Look;
import io.sluice.store.NewJob;
import io.sluice.testkit.Eventually;
import java.sql.Connection;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Looks while it is dear to look from the start: they begin at the marks, and still all is found. */
class HeadsTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final Lane LANE = Lane.of("default", "default", "sample");
  private static final Lane OTHER = Lane.of("default", "default", "other");

  private static final Duration TIMEOUT = Duration.ofSeconds(2);

  private final Ground ground = Schemas.take(SERVER);
  private final String schema = ground.schema();
  private final PostgresStore store = ground.store().build();
  /** A clock on which every look takes a second. */
  private final AtomicLong nanos = new AtomicLong();

  private final AtomicInteger woken = new AtomicInteger();
  private final LowWater lowWater = new LowWater();
  private final FullLooks fullLooks =
      new FullLooks(() -> nanos.addAndGet(TimeUnit.SECONDS.toNanos(1)));
  private Database database;
  private Catalog catalog;
  private Heads heads;
  private Claimer claimer;
  private long worker;

  @BeforeEach
  void open() {
    store.open();
    worker = Sample.worker(store);
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(SERVER.url());
    source.setOptions("-c statement_timeout=" + TIMEOUT.toMillis());
    database = new Database(source, new Sql(schema), null, Guard.byIndex(TIMEOUT));
    catalog = new Catalog(database, database);
    heads = new Heads(database, catalog, lowWater, fullLooks, woken::incrementAndGet);
    claimer = new Claimer(new LimitedClaim.Parts(
        database,
        catalog,
        new Taker(database, lowWater, fullLooks),
        new Finisher(database, lowWater),
        new Costs()));
    for (int i = 0; i < 3; i++) {
      heads.look(Look.ALL).heads();
    }
    assertThat(fullLooks.isAffordable()).as("a full look can be waited for").isFalse();
  }

  @AfterEach
  void clear() {
    heads.close();
    store.close();
    Schemas.giveBack(ground);
  }

  private static NewJob job(Lane lane) {
    return Sample.job(lane, "{}", null, When.now());
  }

  private List<UUID> claim(int max) {
    List<LaneQuota> lanes = heads.look(Look.ALL).heads().stream()
        .map(head -> new LaneQuota(head.laneId(), head.priority(), max))
        .toList();
    return claimer.claim(new Claim(worker, lanes, max)).jobs().stream()
        .map(ClaimedJob::ref)
        .map(ref -> ref.job())
        .toList();
  }

  private List<UUID> firsts() {
    return heads.look(Look.ALL).heads().stream().map(LaneHead::first).toList();
  }

  @Test
  void look_findsOldAndNewLanes_fromTheMarks() {
    List<NewJob> jobs = Sample.jobs(3);
    store.insert(jobs);
    assertThat(claim(1)).containsExactly(jobs.get(0).id());
    assertThat(lowWater.window(0, 100)).hasSize(1);
    NewJob other = job(OTHER);
    store.insert(List.of(other));
    assertThat(firsts()).containsExactlyInAnyOrder(jobs.get(1).id(), other.id());
    assertThat(claim(10))
        .containsExactlyInAnyOrder(jobs.get(1).id(), jobs.get(2).id(), other.id());
    assertThat(firsts()).isEmpty();
    NewJob next = job(OTHER);
    store.insert(List.of(next));
    assertThat(firsts()).containsExactly(next.id());
  }

  /** Waits until an id is beyond the slack of the marks before it. */
  private static void awaitSlack() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(150);
    Eventually.await("the slack is over", () -> System.nanoTime() - end > 0);
  }

  @Test
  void jobsBehindTheMark_areFound_whereverTheyComeFrom() throws Exception {
    List<NewJob> early = List.of(job(LANE), job(LANE));
    awaitSlack();
    try (Connection late = SERVER.connect()) {
      late.setAutoCommit(false);
      store.insert(late, List.of(early.getFirst()));
      store.insert(Sample.jobs(2));
      assertThat(claim(10)).hasSize(2);
      late.commit();
    }
    store.insert(List.of(early.getLast()));
    Eventually.await("a look aside finds them", () -> {
      heads.look(Look.ALL).heads();
      return woken.get() > 0;
    });
    assertThat(claim(10)).containsExactly(early.getFirst().id(), early.getLast().id());
  }

  /** The lock stands for millions of rows that are gone and cannot be cleaned. */
  @Test
  void jobsBehindTheMark_areFound_thoughTheLookTakesLongerThanAStatementMay() throws Exception {
    NewJob early = job(LANE);
    awaitSlack();
    store.insert(Sample.jobs(2));
    assertThat(claim(10)).hasSize(2);
    store.insert(List.of(early));
    Thread look;
    try (Connection blocker = SERVER.connect()) {
      blocker.setAutoCommit(false);
      blocker.createStatement().execute("lock table " + schema + ".ready");
      long start = System.nanoTime();
      look = Thread.ofVirtual().start(heads::lookAside);
      Eventually.await("it takes longer", () -> System.nanoTime() - start > 2 * TIMEOUT.toNanos());
      blocker.rollback();
    }
    look.join();
    assertThat(woken).hasPositiveValue();
    assertThat(firsts()).containsExactly(early.id());
  }

  @Test
  void looksAside_goRoundVeryManyLanes_inPortions() {
    List<NewJob> early = List.of(job(LANE), job(OTHER), job(Lane.of("default", "default", "last")));
    awaitSlack();
    NewJob late = job(LANE);
    store.insert(early);
    LowWater marks = new LowWater();
    List<LowWater.Place> places = store.heads().stream()
        .map(head -> new LowWater.Place(head.laneId(), head.priority()))
        .sorted(Comparator.comparingInt(LowWater.Place::lane))
        .toList();
    places.forEach(place -> marks.advance(place, null, late.id()));
    UUID mark = LowWater.idOf(marks.of(places.getFirst()));
    try (Heads others = new Heads(
        database, catalog, marks, new FullLooks(System::nanoTime), woken::incrementAndGet)) {
      for (int look = 1; look <= 3; look++) {
        others.lookAside(1);
        assertThat(places)
            .filteredOn(place -> !mark.equals(LowWater.idOf(marks.of(place))))
            .as("lanes of which it is known that work is behind their marks")
            .isEqualTo(places.subList(0, look));
      }
      places.forEach(place -> marks.advance(place, marks.of(place), late.id()));
      others.lookAside(1);
      others.lookAside(1);
      assertThat(LowWater.idOf(marks.of(places.getFirst())))
          .as("it begins anew")
          .isNotEqualTo(mark);
    }
  }

  @Test
  void aLaneThatIsAskedForBesideTheWindow_andEndsIt_isNotTheLastOfAll() {
    List<Lane> lanes =
        Stream.of("a", "b", "c", "d").map(t -> Lane.of("default", "default", t)).toList();
    lanes.forEach(lane -> store.insert(List.of(job(lane))));
    List<Integer> ids = store.heads().stream().map(LaneHead::laneId).sorted().toList();
    Look look = new Look(0, 2, Set.of(ids.get(1)));
    assertThat(heads.look(look).upTo()).as("from the marks").isEqualTo(ids.get(1));
    assertThat(store.look(look).upTo()).as("from the start").isEqualTo(ids.get(1));
    assertThat(store.look(new Look(ids.get(1), 1, Set.of(ids.get(0)))).upTo())
        .as("after the one that is asked for")
        .isEqualTo(ids.get(2));
    assertThat(store.look(new Look(0, 2, Set.of(ids.get(3)))).heads())
        .extracting(LaneHead::laneId)
        .containsExactlyInAnyOrder(ids.get(0), ids.get(1), ids.get(3));
  }

  @Test
  void jobThisProcessKnowsOf_isFoundAtOnce() {
    NewJob early = job(LANE);
    awaitSlack();
    store.insert(Sample.jobs(2));
    assertThat(claim(10)).hasSize(2);
    store.insert(List.of(early));
    lowWater.cameIn(early.id());
    assertThat(firsts()).containsExactly(early.id());
  }
}
