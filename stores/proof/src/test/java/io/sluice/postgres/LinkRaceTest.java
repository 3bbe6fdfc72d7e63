package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.BatchRecord;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.SluiceException;
import io.sluice.Ties;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import io.sluice.store.Finish;
import io.sluice.store.NewBatch;
import io.sluice.store.NewJob;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.Together;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever waits for others starts once and never not at all, whoever ends them and whenever that is. */
@Tag("slow")
class LinkRaceTest {
  private static final Server SERVER = Server.POSTGRES_18;

  private final Ground ground = Schemas.take(SERVER);
  private final String schema = ground.schema();
  private PostgresStore one;
  private PostgresStore two;
  private long worker;

  @BeforeEach
  void open() {
    one = ground.store().build();
    two = ground.store().build();
    one.open();
    two.open();
    worker = Sample.worker(one);
  }

  @AfterEach
  void close() {
    one.close();
    two.close();
    Schemas.giveBack(ground);
  }

  @Test
  void theLastTwoPredecessorsAtOnce_startTheirSuccessorOnce() {
    for (int round = 0; round < 150; round++) {
      List<ClaimRef> last = running(2);
      NewJob job = Sample.after("sample", last.get(0).job(), last.get(1).job());
      one.insert(List.of(job));
      Together.run(2, i -> () -> finish(i == 0 ? one : two, last.get(i)));
      assertStartsOnce(job.id());
    }
  }

  @Test
  void anInsertBesidesTheEndOfItsPredecessor_isNeverLost() {
    for (int round = 0; round < 150; round++) {
      ClaimRef first = running(1).getFirst();
      NewJob job = Sample.after("sample", first.job());
      Together.run(2, i -> () -> i == 0 ? finish(one, first) : two.insert(List.of(job)));
      assertStartsOnce(job.id());
    }
  }

  @Test
  void anEnd_waitsForAnInsertThatNamesTheJob_andSeesIt() throws Exception {
    ClaimRef first = running(1).getFirst();
    NewJob job = Sample.after("sample", first.job());
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      two.insert(connection, List.of(job));
      CompletableFuture<Set<ClaimRef>> end =
          CompletableFuture.supplyAsync(() -> finish(one, first));
      SERVER.awaitBlocked(schema);
      assertThat(end).isNotDone();
      connection.commit();
      assertThat(end.join()).containsExactly(first);
    }
    assertStartsOnce(job.id());
  }

  @Test
  void anInsert_waitsForTheEndOfItsPredecessor_andCountsIt() throws Exception {
    ClaimRef first = running(1).getFirst();
    NewJob job = Sample.after("sample", first.job());
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      one.finish(connection, new Finish(first, Sample.COMPLETED));
      CompletableFuture<JobState> insert = CompletableFuture.supplyAsync(
          () -> two.insert(List.of(job)).getFirst().state());
      SERVER.awaitBlocked(schema);
      connection.commit();
      assertThat(insert.join()).isEqualTo(JobState.PENDING);
    }
    assertStartsOnce(job.id());
  }

  /** Retention moves an outcome to another partition when it is needed for longer than it is kept. */
  @Test
  void anInsertInACallersTransaction_waitsForWhoMovesTheOutcomeItNames_andCountsIt()
      throws Exception {
    ClaimRef first = running(1).getFirst();
    finish(one, first);
    NewJob job = Sample.after("sample", first.job());
    try (Connection mover = SERVER.connect();
        Statement move = mover.createStatement();
        Connection caller = SERVER.connect()) {
      mover.setAutoCommit(false);
      caller.setAutoCommit(false);
      assertThat(move.executeUpdate(
              "update " + schema + ".done set shelf = 0 where id = '" + first.job() + "'"))
          .isEqualTo(1);
      CompletableFuture<JobState> insert = CompletableFuture.supplyAsync(
          () -> two.insert(caller, List.of(job)).getFirst().state());
      SERVER.awaitBlocked(schema);
      mover.commit();
      assertThat(insert.join()).isEqualTo(JobState.PENDING);
      caller.commit();
    }
    assertStartsOnce(job.id());
  }

  @Test
  void aSecondEnd_waitsForTheFirst_andStartsWhatWaitedForBoth() throws Exception {
    List<ClaimRef> last = running(2);
    NewJob job = Sample.after("sample", last.get(0).job(), last.get(1).job());
    one.insert(List.of(job));
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      one.finish(connection, new Finish(last.get(0), Sample.COMPLETED));
      CompletableFuture<Set<ClaimRef>> end =
          CompletableFuture.supplyAsync(() -> finish(two, last.get(1)));
      SERVER.awaitBlocked(schema);
      connection.commit();
      end.join();
    }
    assertStartsOnce(job.id());
  }

  @Test
  void aBatch_waitsForAnInsertThatNamesIt_beforeItEnds() throws Exception {
    UUID batch = Sample.id();
    one.links().start(Sample.batch(batch, null), Sample.members(batch, 1));
    ClaimRef member = Sample.claim(one, worker, 1).getFirst().ref();
    NewJob job = Sample.after("sample", batch);
    try (Connection connection = SERVER.connect()) {
      connection.setAutoCommit(false);
      two.insert(connection, List.of(job));
      CompletableFuture<Set<ClaimRef>> end =
          CompletableFuture.supplyAsync(() -> finish(one, member));
      SERVER.awaitBlocked(schema);
      connection.commit();
      end.join();
    }
    // The call that ended the member may have given up on the batch: the next check ends it.
    one.links().settle(10);
    assertStartsOnce(job.id());
  }

  @Test
  void twoWhoFinishTheLastMembers_endTheirBatchOnce() {
    for (int round = 0; round < 100; round++) {
      UUID batch = Sample.id();
      NewJob callback = Sample.callback(batch);
      one.links().start(Sample.batch(batch, callback), Sample.members(batch, 6));
      List<ClaimedJob> claimed = Sample.claim(one, worker, 6);
      Together.run(
          2,
          i -> () ->
              (i == 0 ? one : two).finish(Sample.completed(claimed.subList(3 * i, 3 * i + 3))));
      one.links().settle(10);
      assertStartsOnce(callback.id());
    }
  }

  @Test
  void twoBatches_eachGivenAJobThatWaitsForTheOther_takeOneOfThem() {
    for (int round = 0; round < 5; round++) {
      List<UUID> batches = List.of(openBatch(), openBatch());
      List<Boolean> taken = Together.run(2, i -> () -> {
        UUID batch = batches.get(i);
        Ties ties = Sample.after("sample", batches.get(1 - i)).spec().ties().in(batch);
        try {
          (i == 0 ? one : two).links().add(batch, null, List.of(Sample.tied(Sample.job(), ties)));
          return true;
        } catch (SluiceException e) {
          assertThat(e.code()).isEqualTo(ErrorCode.INVALID_MESSAGE);
          return false;
        }
      });
      assertThat(taken).containsExactlyInAnyOrder(true, false);
    }
  }

  private UUID openBatch() {
    UUID id = Sample.id();
    NewBatch closed = Sample.batch(id, null);
    return one.links()
        .start(
            new NewBatch(
                id, closed.tenant(), "open", true, null, null, null, null, closed.keepFor()),
            List.of())
        .id();
  }

  @Test
  void aBatchThatIsCancelled_whileItsJobsStartAndEnd_countsEachOnce() {
    for (int round = 0; round < 20; round++) {
      UUID batch = Sample.id();
      List<NewJob> members = new ArrayList<>(Sample.members(batch, 60));
      for (int i = 0; i < 40; i++) {
        Ties ties = Sample.after("sample", members.get(i).id()).spec().ties().in(batch);
        members.add(Sample.tied(Sample.job(), ties));
      }
      one.links().start(Sample.batch(batch, null), members);
      Together.run(2, i -> () -> i == 0 ? finishSome() : cancelAll(batch));
      one.links().settle(10);
      BatchRecord record = one.links().find(batch).orElseThrow();
      assertThat(record.isOver()).isTrue();
      assertThat(record.counts().total()).isEqualTo(100);
      assertThat(record.counts().over()).isEqualTo(100);
    }
  }

  private int finishSome() {
    for (int i = 0; i < 5; i++) {
      finish(one, 10);
    }
    return 0;
  }

  private int cancelAll(UUID batch) {
    int cancelled = 0;
    for (List<UUID> some = two.links().unfinished(batch, 10);
        !some.isEmpty();
        some = two.links().unfinished(batch, 10)) {
      cancelled += two.cancelAll(some, "stopped").size();
    }
    return cancelled;
  }

  @Test
  void manyThreads_thatTieAndFinishJobs_allComeToTheirEnd() {
    List<Integer> made = Together.run(4, thread -> () -> {
      PostgresStore store = thread % 2 == 0 ? one : two;
      int jobs = 0;
      for (int round = 0; round < 25; round++) {
        List<NewJob> fan = Sample.jobs(4);
        UUID[] ids = fan.stream().map(NewJob::id).toArray(UUID[]::new);
        NewJob in = Sample.after("sample", ids);
        List<NewJob> all = new ArrayList<>(fan);
        all.add(in);
        for (int i = 0; i < 4; i++) {
          all.add(Sample.after("sample", in.id(), ids[i]));
        }
        store.insert(all);
        // One that names jobs which others may be finishing right now.
        store.insert(
            List.of(Sample.after("sample", in.id(), ids[round % 4], ids[(round + 1) % 4])));
        jobs += all.size() + 1;
        finish(store, 20);
      }
      return jobs;
    });
    int all = made.stream().mapToInt(Integer::intValue).sum();
    Eventually.await("every job to end", () -> {
      finish(one, 100);
      return SERVER
          .ask("select count(*) from " + schema + ".done where state = 5")
          .equals(String.valueOf(all));
    });
    assertThat(SERVER.ask("select max(turn) from " + schema + ".done")).isEqualTo("1");
    assertThat(SERVER.ask("select count(*) from " + schema + ".link where open"))
        .isEqualTo("0");
  }

  private void finish(PostgresStore store, int max) {
    store.finish(Sample.completed(Sample.claim(store, worker, max)));
  }

  private static Set<ClaimRef> finish(PostgresStore store, ClaimRef ref) {
    return store.finish(List.of(new Finish(ref, Sample.COMPLETED)));
  }

  private List<ClaimRef> running(int n) {
    one.insert(Sample.jobs(n));
    return Sample.claim(one, worker, n).stream().map(ClaimedJob::ref).toList();
  }

  /** The job is ready, once, and nothing else is; it runs to its end. */
  private void assertStartsOnce(UUID job) {
    List<ClaimedJob> claimed = Sample.claim(one, worker, 10);
    assertThat(claimed).extracting(c -> c.ref().job()).containsExactly(job);
    assertThat(claimed.getFirst().ref().turn()).isEqualTo(1);
    one.finish(Sample.completed(claimed));
    assertThat(Sample.claim(two, worker, 10)).isEmpty();
  }
}
