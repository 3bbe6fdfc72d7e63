package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.BatchCounts;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Predecessor;
import io.sluice.Sluice;
import io.sluice.Ties;
import io.sluice.When;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.NewJob;
import io.sluice.store.Verdict;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.Together;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A job for which more wait than one write lets go on. */
@Tag("slow")
class WakePortionsTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final int MANY = 5_300;
  private static final int PORTION = 400;
  private static final Verdict DEAD =
      new Verdict.End(JobState.DEAD, null, "failed", null, Duration.ofHours(1));

  private final Ground ground = Schemas.take(SERVER);
  private final PostgresStore store = ground.store().build();
  private long worker;
  private ClaimedJob first;

  @BeforeEach
  void open() {
    store.open();
    worker = Sample.worker(store);
    store.insert(List.of(Sample.job()));
    first = claim();
  }

  @AfterEach
  void close() {
    store.close();
    Schemas.giveBack(ground);
  }

  @Test
  void end_leavesTheRestForLater_andEachGoesOnOnce() {
    store.insert(successors(AfterPolicy.CANCEL, null));
    finish(Sample.COMPLETED);
    assertThat(store.find(first.ref().job()).orElseThrow().state()).isEqualTo(JobState.COMPLETED);
    assertThat(waiting()).isPositive();
    wakeAll();
    assertThat(rows("ready")).isEqualTo(MANY);
    assertThat(rows("later")).isZero();
    assertThat(rows("waking")).isZero();
    assertThat(rows("link where open")).isZero();
  }

  @Test
  void twoWhoTakePortionsAtOnce_letEachGoOnOnce() {
    store.insert(successors(AfterPolicy.CANCEL, null));
    finish(Sample.COMPLETED);
    Together.run(2, i -> () -> {
      wakeAll();
      return i;
    });
    wakeAll();
    assertThat(rows("ready")).isEqualTo(MANY);
    assertThat(rows("waking")).isZero();
  }

  @Test
  void cancelledInPortions_areAllCounted_beforeTheirBatchEnds() {
    UUID batch = Sample.id();
    NewJob callback = Sample.callback(batch);
    store.links().start(Sample.batch(batch, callback), successors(AfterPolicy.CANCEL, batch));
    finish(DEAD);
    store.links().settle(10);
    assertThat(store.links().find(batch).orElseThrow().isOver()).isFalse();
    wakeAll();
    store.links().settle(10);
    assertThat(store.links().find(batch).orElseThrow().counts())
        .isEqualTo(new BatchCounts(MANY, 0, 0, MANY));
    assertThat(claim().ref().job()).isEqualTo(callback.id());
  }

  @Test
  void newSuccessor_startsAtOnce_whateverWaitsStill() {
    store.insert(successors(AfterPolicy.CANCEL, null));
    finish(Sample.COMPLETED);
    NewJob late = Sample.after("late", first.ref().job());
    assertThat(store.insert(List.of(late)).getFirst().state()).isEqualTo(JobState.PENDING);
    assertThat(waiting()).isPositive();
  }

  @Test
  void replay_endsTheTelling_andAllThatWaitStillWaitOn() {
    store.insert(successors(AfterPolicy.HOLD, null));
    finish(DEAD);
    assertThat(store.replay(first.ref().job())).isTrue();
    assertThat(rows("waking")).isZero();
    assertThat(store.links().wake(PORTION)).isFalse();
    first = claim();
    finish(Sample.COMPLETED);
    wakeAll();
    assertThat(rows("ready")).isEqualTo(MANY);
    assertThat(rows("later")).isZero();
  }

  @Test
  void revive_bringsBackAllThatWereCancelled_andTheOthersWaitOn() {
    store.insert(successors(AfterPolicy.CANCEL, null));
    finish(DEAD);
    store.links().wake(PORTION);
    long cancelled = rows("done where state = 8");
    assertThat(store.links().revive(first.ref().job())).hasSize((int) cancelled + 1);
    assertThat(rows("waking")).isZero();
    assertThat(waiting()).isEqualTo(MANY);
    first = claim();
    finish(Sample.COMPLETED);
    wakeAll();
    assertThat(rows("ready")).isEqualTo(MANY);
  }

  @Test
  void oneThatSomebodyHolds_keepsNoOtherWaiting() throws SQLException {
    List<NewJob> all = successors(AfterPolicy.CANCEL, null);
    store.insert(all);
    finish(Sample.COMPLETED);
    UUID held = UUID.fromString(
        SERVER.ask("select min(id::text) from " + ground.schema() + ".later where waits > 0"));
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      store.insert(connection, List.of(Sample.after("next", held)));
      wakeAll();
      assertThat(rows("ready")).isEqualTo(MANY - 1);
      connection.commit();
    }
    wakeAll();
    assertThat(rows("ready")).isEqualTo(MANY);
    assertThat(rows("waking")).isZero();
  }

  @Test
  void successorOfACancelledOne_isTold_onceNobodyHoldsIt() throws SQLException {
    store.insert(successors(AfterPolicy.CANCEL, null));
    finish(DEAD);
    UUID untold = UUID.fromString(
        SERVER.ask("select min(id::text) from " + ground.schema() + ".later where waits > 0"));
    NewJob next = Sample.after("next", untold);
    store.insert(List.of(next));
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      store.insert(connection, List.of(Sample.after("last", next.id())));
      store.links().wake(MANY);
      assertThat(waiting()).as("the one that is held").isEqualTo(1);
      connection.commit();
    }
    wakeAll();
    assertThat(rows("later")).isZero();
    assertThat(rows("done where state = 8")).isEqualTo(MANY + 2);
    assertThat(rows("waking")).isZero();
  }

  /** In one statement these would take three times as long as a statement may here. */
  @Test
  @Tag("long")
  void hundredsOfThousands_goOn_withinAShortTimeForAStatement() {
    for (int i = 0; i < 60; i++) {
      store.insert(successors(AfterPolicy.CANCEL, null).subList(0, 5_000));
    }
    PostgresStoreBuilder settings =
        SERVER.store(ground.schema()).daysAhead(1).statementTimeout(Duration.ofSeconds(3));
    try (PostgresStore hasty = settings.build()) {
      hasty.open();
      assertThat(hasty.finish(List.of(new Finish(first.ref(), DEAD)))).hasSize(1);
      boolean more = true;
      while (more) {
        more = hasty.links().wake(5_000);
      }
    }
    assertThat(rows("done where state = 8")).isEqualTo(300_000);
    assertThat(rows("later")).isZero();
  }

  @Test
  void engine_takesThePortions() {
    store.insert(successors(AfterPolicy.CANCEL, null));
    try (Sluice engine = Sluice.builder(ground.store().build()).build().start()) {
      finish(Sample.COMPLETED);
      Eventually.await("all to go on", () -> rows("ready") == MANY);
    }
  }

  private List<NewJob> successors(AfterPolicy policy, @Nullable UUID batch) {
    Lane lane = Lane.of("default", "default", "next");
    Ties ties = new Ties(List.of(Predecessor.of(first.ref().job())), policy, batch);
    return IntStream.range(0, MANY)
        .mapToObj(i -> Sample.tied(Sample.job(lane, "{}", null, When.now()), ties))
        .toList();
  }

  private ClaimedJob claim() {
    return Sample.claim(store, worker, 1).getFirst();
  }

  private void finish(Verdict verdict) {
    assertThat(store.finish(List.of(new Finish(first.ref(), verdict)))).hasSize(1);
  }

  private void wakeAll() {
    boolean more = true;
    while (more) {
      more = store.links().wake(PORTION);
    }
  }

  private long waiting() {
    return rows("later where waits > 0");
  }

  private long rows(String of) {
    return Long.parseLong(SERVER.ask("select count(*) from " + ground.schema() + "." + of));
  }
}
