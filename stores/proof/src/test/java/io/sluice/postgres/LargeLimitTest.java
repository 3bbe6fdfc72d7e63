package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.Limit;
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
import io.sluice.testkit.Eventually;
import io.sluice.testkit.Together;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A large limit holds like a small one, though what runs under it is seldom counted and in no index. */
@Tag("slow")
class LargeLimitTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final int LARGE = 10_000;
  private static final Lane LANE = new Lane("acme", "wide", "sample", "", "k");
  private static final Scope TENANT = Scope.tenant("acme");

  private final Ground ground = Schemas.take(SERVER);
  private final String schema = ground.schema();
  private final PostgresStore store = ground.store().build();
  private final PostgresStore other = ground.store().build();
  private long worker;

  @BeforeEach
  void open() {
    store.open();
    other.open();
    worker = Sample.worker(store);
    store.queues().save(QueueSettings.of("acme", "wide"));
    store.queues().save(QueueSettings.of("acme", "narrow"));
  }

  @AfterEach
  void clear() {
    other.close();
    store.close();
    Schemas.giveBack(ground);
  }

  private void limit(Scope scope, @Nullable Integer concurrency) {
    store.limits().save(new Limit(scope, null, concurrency));
  }

  private void add(int jobs, Lane lane) {
    store.insert(IntStream.range(0, jobs)
        .mapToObj(i -> Sample.job(lane, "{}", null, When.now()))
        .toList());
  }

  /** Has so many more jobs run in the only lane that there is, claimed by nobody who knows of limits. */
  private void run(int jobs) {
    SERVER.run(running(jobs));
  }

  private String running(int jobs) {
    return "insert into " + schema
        + ".running (id, worker, claimed_at, lane, shelf, attempt, turn, "
        + "replays, priority, strikes, suspect, started) select gen_random_uuid(), " + worker
        + ", now(), l.id, 0, 1, 1, 0, 10, 0, 0, true from " + schema
        + ".lane l, generate_series(1, " + jobs + ")";
  }

  private Claimed claim(PostgresStore by, int max) {
    List<LaneQuota> lanes = by.heads().stream()
        .map(head -> new LaneQuota(head.laneId(), head.priority(), max))
        .toList();
    return by.claim(new Claim(worker, lanes, max));
  }

  private List<ClaimedJob> claim(int max) {
    return claim(store, max).jobs();
  }

  private int ask(String what) {
    String answer = SERVER.ask("select " + what.replace("S.", schema + "."));
    return answer == null ? -1 : Integer.parseInt(answer);
  }

  private int runs() {
    return ask("count(*) from S.running");
  }

  private int counted() {
    return ask("count(*) from S.running where counted");
  }

  /** The most that is kept of the only large limit, -1 for none. */
  private int most() {
    return ask("max(most_running) from S.flow_bucket");
  }

  @Test
  void twoStores_byTurns_takeNoMoreThanItAllows() {
    add(200, LANE);
    run(LARGE - 50);
    limit(TENANT, LARGE);
    int last = -1;
    for (int i = 0; last != 0; i++) {
      last = claim(i % 2 == 0 ? store : other, 20).jobs().size();
      assertThat(most()).isEqualTo(runs());
    }
    assertThat(runs()).isEqualTo(LARGE);
    assertThat(claim(other, 20).jobs()).isEmpty();
  }

  @Test
  void twoStores_atOnce_takeNoMoreThanItAllows() {
    add(400, LANE);
    run(LARGE - 150);
    limit(TENANT, LARGE);
    Together.run(4, i -> () -> {
      PostgresStore by = i % 2 == 0 ? store : other;
      for (int round = 0; round < 25; round++) {
        List<ClaimedJob> jobs = claim(by, 7).jobs();
        by.finish(Sample.completed(jobs.subList(0, jobs.size() / 4)));
        assertThat(runs()).isLessThanOrEqualTo(LARGE);
      }
      return true;
    });
    Eventually.await("all is taken", () -> claim(7).isEmpty() && runs() == LARGE);
  }

  @Test
  void whatEnded_isSeen_whenNothingMoreIsLeft() {
    add(40, LANE);
    run(LARGE - 10);
    limit(TENANT, LARGE);
    List<ClaimedJob> jobs = claim(20);
    assertThat(jobs).hasSize(10);
    assertThat(claim(20)).isEmpty();
    store.finish(Sample.completed(jobs.subList(0, 5)));
    assertThat(claim(other, 20).jobs()).hasSize(5);
    assertThat(most()).isEqualTo(LARGE);
  }

  /** The end of a job that is not counted is told to nobody. */
  @Test
  void lanesThatAFullOneHoldsBack_areTriedAgainSoon() {
    add(2, LANE);
    run(LARGE - 1);
    limit(TENANT, LARGE);
    Duration soon = Duration.ofMillis(25);
    for (int jobs = 1; jobs >= 0; jobs--) {
      Claimed claimed = claim(store, 10);
      assertThat(claimed.jobs()).hasSize(jobs);
      assertThat(claimed.spent()).extracting(SpentLimit::retryIn).containsExactly(soon);
    }
  }

  @Test
  void nothingIsCounted_whileEnoughIsLeft() {
    add(40, LANE);
    limit(TENANT, LARGE);
    assertThat(claim(10)).hasSize(10);
    run(500);
    assertThat(claim(10)).hasSize(10);
    assertThat(most()).isEqualTo(20);
    assertThat(counted()).isZero();
    assertThat(store.limits().state(TENANT).orElseThrow().running()).isEqualTo(520);
  }

  static Stream<Scope> scopes() {
    return Stream.of(
        Scope.global(),
        TENANT,
        Scope.queue("acme", "wide"),
        Scope.type("acme", "sample"),
        Scope.key("acme", "k"),
        Scope.key("acme", "k*"));
  }

  @ParameterizedTest
  @MethodSource("scopes")
  void largeLimit_becomesSmall_andLargeAgain(Scope scope) {
    add(100, LANE);
    limit(scope, LARGE);
    assertThat(claim(30)).hasSize(30);
    assertThat(counted()).isZero();
    limit(scope, 40);
    assertThat(counted()).isEqualTo(30);
    assertThat(claim(20)).hasSize(10);
    assertThat(claim(other, 20).jobs()).isEmpty();
    limit(scope, LARGE);
    assertThat(claim(other, 5).jobs()).hasSize(5);
    assertThat(most()).isEqualTo(45);
    assertThat(counted()).isEqualTo(40);
    limit(scope, 46);
    assertThat(claim(20)).hasSize(1);
  }

  @Test
  void whatRanWithoutALimit_counts_whenItIsBack() {
    add(200, LANE);
    run(LARGE - 30);
    limit(TENANT, LARGE);
    assertThat(claim(5)).hasSize(5);
    store.limits().delete(TENANT);
    assertThat(claim(24)).hasSize(24);
    limit(TENANT, LARGE);
    assertThat(claim(20)).hasSize(1);
  }

  /** A key is under the limit of a pattern while it has none of its own, and both have one bound. */
  @Test
  void whatRanUnderAnotherLimitOfTheKey_counts() {
    add(200, LANE);
    run(LARGE - 30);
    Scope own = Scope.key("acme", "k");
    limit(Scope.key("acme", "k*"), LARGE);
    assertThat(claim(5)).hasSize(5);
    limit(own, LARGE - 1);
    assertThat(claim(24)).hasSize(24);
    store.limits().delete(own);
    assertThat(claim(20)).hasSize(1);
  }

  @Test
  void claimThatIsNotOverYet_countsUnderALimitThatIsNew() throws Exception {
    add(20, LANE);
    run(LARGE - 10);
    try (Connection claiming = SERVER.connect();
        Statement statement = claiming.createStatement()) {
      claiming.setAutoCommit(false);
      statement.execute("select version from " + schema + ".flow_version");
      statement.execute(running(7));
      Thread setting = Thread.ofVirtual().start(() -> limit(TENANT, LARGE));
      Eventually.await("the limit waits for the claim", () -> !setting.isAlive() || isAwaited());
      assertThat(setting.isAlive()).isTrue();
      assertThat(claim(20)).as("what runs is not counted yet").isEmpty();
      claiming.commit();
      setting.join();
    }
    assertThat(claim(20)).hasSize(3);
  }

  private boolean isAwaited() {
    return ask("count(*) from S.flow_pending") > 0;
  }

  @Test
  void smallLimitInALargeOne_isKept() {
    limit(TENANT, LARGE);
    limit(Scope.queue("acme", "narrow"), 3);
    add(10, Lane.of("acme", "narrow", "sample"));
    add(10, LANE);
    assertThat(claim(20)).hasSize(13);
    assertThat(claim(20)).isEmpty();
    assertThat(counted()).isEqualTo(3);
    assertThat(most()).isEqualTo(13);
  }

  @Test
  void rateAndLargeConcurrency_areKeptInOneRow() {
    store.limits().save(new Limit(TENANT, new RateLimit(1, Per.HOUR, 5), LARGE));
    add(10, LANE);
    assertThat(claim(2)).hasSize(2);
    assertThat(claim(other, 10).jobs()).hasSize(3);
    assertThat(most()).isEqualTo(5);
    assertThat(claim(10)).isEmpty();
    assertThat(ask("count(*) from S.flow_bucket")).isEqualTo(1);
  }

  @Test
  void rateThatIsAddedLater_isUnused() {
    add(10, LANE);
    limit(TENANT, LARGE);
    assertThat(claim(2)).hasSize(2);
    store.limits().save(new Limit(TENANT, new RateLimit(1, Per.HOUR, 5), LARGE));
    assertThat(store.limits().state(TENANT).orElseThrow().spent()).isZero();
    assertThat(claim(10)).hasSize(5);
  }

  @Test
  void purge_keepsWhatIsKnown_untilItIsOld() {
    add(20, LANE);
    limit(TENANT, LARGE);
    assertThat(claim(5)).hasSize(5);
    store.purge();
    assertThat(most()).isEqualTo(5);
    SERVER.run("update " + schema + ".flow_bucket set good_at = now() - interval '61 minutes'");
    store.purge();
    assertThat(most()).isEqualTo(-1);
    assertThat(claim(5)).hasSize(5);
    assertThat(most()).isEqualTo(10);
  }
}
