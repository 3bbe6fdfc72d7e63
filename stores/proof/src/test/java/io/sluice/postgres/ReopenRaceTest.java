package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.AfterPolicy;
import io.sluice.BatchCounts;
import io.sluice.JobState;
import io.sluice.Predecessor;
import io.sluice.Ties;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.NewJob;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.Together;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever ends a batch and whoever takes its end back, by running a member again, exclude each other. */
@Tag("slow")
class ReopenRaceTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final Duration KEEP = Duration.ofHours(1);

  private final String schema = Server.newSchema();
  private PostgresStore one;
  private PostgresStore two;
  private long worker;

  @BeforeEach
  void open() {
    one = SERVER.store(schema).build();
    two = SERVER.store(schema).build();
    one.open();
    two.open();
    worker = Sample.worker(one);
  }

  @AfterEach
  void close() {
    one.close();
    two.close();
    SERVER.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void aMemberReplayed_besideTheEndOfTheLast_isWaitedFor() {
    for (int round = 0; round < 100; round++) {
      UUID batch = Sample.id();
      List<ClaimRef> members = running(batch, 2);
      NewJob held = held(batch);
      one.insert(List.of(held));
      UUID again = members.get(0).job();
      one.cancel(again, "no", KEEP);
      Together.run(2, i -> () -> i == 0 ? finish(one, members.get(1)) : two.replay(again));
      one.links().settle(10);
      assertThat(one.links().find(batch).orElseThrow().isOver()).isFalse();
      assertThat(one.find(held.id()).orElseThrow().state()).isEqualTo(JobState.SCHEDULED);
      one.finish(Sample.completed(Sample.claim(one, worker, 5)));
      assertThat(one.links().find(batch).orElseThrow().counts())
          .isEqualTo(new BatchCounts(2, 2, 0, 0));
      assertThat(one.links().find(batch).orElseThrow().isOver()).isTrue();
      List<ClaimedJob> next = Sample.claim(one, worker, 5);
      assertThat(next).extracting(c -> c.ref().job()).containsExactly(held.id());
      one.finish(Sample.completed(next));
    }
  }

  @Test
  void theEndOfABatch_waitsForWhoTakesAMemberBack_andSeesIt() throws Exception {
    UUID batch = Sample.id();
    List<ClaimRef> members = running(batch, 2);
    one.cancel(members.get(0).job(), "no", KEEP);
    try (Connection connection = SERVER.connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      statement.execute("set search_path = " + schema);
      statement.execute("select * from hold_batches(array['" + batch + "'::uuid])");
      statement.execute(
          "select count_members(array['" + batch + "'::uuid], array[8::smallint], -1)");
      CompletableFuture<Void> end = CompletableFuture.runAsync(() -> finish(two, members.get(1)));
      SERVER.awaitBlocked(schema);
      connection.commit();
      end.join();
    }
    assertThat(one.links().find(batch).orElseThrow().isOver()).isFalse();
  }

  @Test
  void manyWhoEndAndReplay_leaveABatchThatEndsOnce_withAllCounted() {
    UUID outer = Sample.id();
    UUID batch = Sample.id();
    NewJob callback = Sample.callback(outer);
    one.links().start(Sample.open(outer, callback), List.of());
    one.links().start(Sample.in(batch, outer), Sample.members(batch, 4));
    one.links().close(outer);
    NewJob held = held(outer);
    one.insert(List.of(held));
    List<UUID> members =
        Sample.claim(one, worker, 4).stream().map(c -> c.ref().job()).toList();
    members.forEach(member -> one.cancel(member, "no", KEEP));
    Together.run(4, thread -> () -> {
      PostgresStore store = thread % 2 == 0 ? one : two;
      for (int round = 0; round < 40; round++) {
        UUID member = members.get((thread + round) % 4);
        if (round % 3 == 0) {
          store.links().revive(member);
        } else {
          store.replay(member);
        }
        store.cancel(members.get((thread + round / 2) % 4), "no", KEEP);
      }
      return thread;
    });
    members.forEach(one::replay);
    assertThat(one.links().find(outer).orElseThrow().isOver()).isFalse();
    assertThat(one.links().find(batch).orElseThrow().counts())
        .isEqualTo(new BatchCounts(4, 0, 0, 0));
    Eventually.await("all to end", () -> {
      one.finish(Sample.completed(Sample.claim(one, worker, 10)));
      one.links().settle(10);
      return one.find(held.id()).orElseThrow().state() == JobState.COMPLETED;
    });
    for (UUID ended : List.of(batch, outer)) {
      assertThat(one.links().find(ended).orElseThrow().isOver()).isTrue();
      assertThat(one.links().find(ended).orElseThrow().counts().succeeded()).isTrue();
    }
    assertThat(
            SERVER.ask("select turn from " + schema + ".done where id = '" + callback.id() + "'"))
        .isEqualTo("1");
  }

  @Test
  void aMemberReplayed_whileItsBodyMoves_staysInItsBatch() throws Exception {
    UUID batch = Sample.id();
    UUID member = running(batch, 1).getFirst().job();
    one.cancel(member, "no", KEEP);
    assertThat(whileItsBodyMoves(member, two::replay)).isTrue();
    assertThat(one.links().find(batch).orElseThrow().isOver()).isFalse();
    assertThat(one.links().find(batch).orElseThrow().counts())
        .isEqualTo(new BatchCounts(1, 0, 0, 0));
    one.finish(Sample.completed(Sample.claim(one, worker, 1)));
    assertThat(one.links().find(batch).orElseThrow().counts())
        .isEqualTo(new BatchCounts(1, 1, 0, 0));
  }

  @Test
  void aJobDeleted_whileItsBodyMoves_leavesNothing() throws Exception {
    NewJob job = Sample.job();
    one.insert(List.of(job));
    one.cancel(job.id(), "no", KEEP);
    assertThat(whileItsBodyMoves(job.id(), two::delete)).isTrue();
    assertThat(SERVER.ask("select count(*) from " + schema + ".job where id = '" + job.id() + "'"))
        .isEqualTo("0");
  }

  /** What somebody does who finds the outcome of a job locked by the housekeeping that moves its body. */
  private boolean whileItsBodyMoves(UUID job, Predicate<UUID> deed) throws Exception {
    PlainSource source = SERVER::connect;
    Database database = new Database(source, new Sql(schema), Guard.NONE);
    int day = Integer.parseInt(
        SERVER.ask("select shelf from " + schema + ".job where id = '" + job + "'"));
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      try (Call move = database.call(connection, "move-to-shelf-0")) {
        assertThat((int) move.set("ids", List.of(job)).set("day", day).one(row -> row.getInt(1)))
            .isEqualTo(1);
      }
      CompletableFuture<Boolean> done = CompletableFuture.supplyAsync(() -> deed.test(job));
      SERVER.awaitBlocked(schema);
      connection.commit();
      return done.join();
    }
  }

  @Test
  void aDelete_waitsForAnInsertThatNamesTheJob_andLeavesIt() throws Exception {
    NewJob job = Sample.job();
    UUID over = job.id();
    one.insert(List.of(job));
    one.cancel(over, "no", KEEP);
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      two.insert(connection, List.of(held(over)));
      CompletableFuture<Boolean> delete = CompletableFuture.supplyAsync(() -> one.delete(over));
      SERVER.awaitBlocked(schema);
      connection.commit();
      assertThat(delete.join()).isFalse();
    }
    assertThat(one.find(over)).isPresent();
  }

  private static NewJob held(UUID predecessor) {
    return Sample.tied(
        Sample.job(), new Ties(List.of(Predecessor.of(predecessor)), AfterPolicy.HOLD, null));
  }

  private List<ClaimRef> running(UUID batch, int members) {
    one.links().start(Sample.batch(batch, null), Sample.members(batch, members));
    return Sample.claim(one, worker, members).stream().map(ClaimedJob::ref).toList();
  }

  private static boolean finish(PostgresStore store, ClaimRef ref) {
    return !store.finish(List.of(new Finish(ref, Sample.COMPLETED))).isEmpty();
  }
}
