package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.BatchRequest;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Lane;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.When;
import io.sluice.store.NewJob;
import io.sluice.store.WorkerSpec;
import io.sluice.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a caller's open transaction holds keeps only those waiting who need it. */
@Tag("slow")
class HeldRowsTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final Duration SOON = Duration.ofSeconds(15);

  /** What the transaction holds. */
  enum Row {
    A_KEY {
      @Override
      NewJob job() {
        return Sample.job("default", "{}", "key");
      }
    },
    A_CAPPED_QUEUE {
      @Override
      NewJob job() {
        return Sample.job("capped", "{}", null);
      }
    },
    A_NEW_LANE {
      @Override
      NewJob job() {
        return Sample.job(Lane.of("default", "default", "fresh"), "{}", null, When.now());
      }

      @Override
      void hold(Connection connection, PostgresStore store, String schema) throws SQLException {
        execute(connection, "select " + schema + ".enqueue('fresh')");
      }
    },
    A_NEW_QUEUE {
      @Override
      NewJob job() {
        return Sample.jobOf("newcomer");
      }

      @Override
      void hold(Connection connection, PostgresStore store, String schema) throws SQLException {
        execute(connection, "select " + schema + ".enqueue('sample', tenant => 'newcomer')");
      }
    };

    /** A job that needs it. */
    abstract NewJob job();

    /** Takes it, to the end of the transaction. */
    void hold(Connection connection, PostgresStore store, String schema) throws SQLException {
      store.insert(connection, List.of(job()));
    }

    private static void execute(Connection connection, String sql) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute(sql);
      }
    }
  }

  private final Ground ground = Schemas.take(SERVER);
  private final ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void close() {
    callers.close();
    Schemas.giveBack(ground);
  }

  @ParameterizedTest
  @EnumSource(Row.class)
  void enqueue_waitsOnlyForWhatItNeeds(Row row) throws SQLException {
    try (PostgresStore store = open(Duration.ofSeconds(60));
        Connection connection = begin()) {
      row.hold(connection, store, ground.schema());
      List<CompletableFuture<Enqueued>> waiting = insert(store, List.of(row.job(), row.job()));
      for (int round = 0; round < 3; round++) {
        waiting.addAll(insert(store, List.of(row.job())));
        List<CompletableFuture<Enqueued>> strangers = insert(store, strangers());
        awaitAll("those who wait for nobody", strangers);
      }
      assertThat(waiting).noneMatch(CompletableFuture::isDone);
      connection.commit();
      awaitAll("those who waited", waiting);
      boolean duplicate = row == Row.A_KEY;
      assertThat(waiting).allMatch(one -> one.join().duplicate() == duplicate);
    }
  }

  /** Callers queue up for the count of the queue, so that it is never free when somebody comes. */
  @Test
  void enqueue_getsItsTurn_amongTransactionsThatTakeTheRowOneAfterTheOther() {
    AtomicBoolean enough = new AtomicBoolean();
    AtomicInteger turns = new AtomicInteger();
    try (PostgresStore store = open(Duration.ofSeconds(30))) {
      List<CompletableFuture<Void>> others = IntStream.range(0, 16)
          .mapToObj(i -> CompletableFuture.runAsync(() -> takeTurns(store, turns, enough), callers))
          .toList();
      try {
        Eventually.await("all to queue up", () -> turns.get() > 2 * others.size());
        assertThat(insert(store, List.of(Row.A_CAPPED_QUEUE.job())).getFirst())
            .succeedsWithin(Duration.ofMinutes(1));
      } finally {
        enough.set(true);
      }
      assertThat(others).allSatisfy(other -> assertThat(other).succeedsWithin(SOON));
    }
  }

  /** One transaction after the other, each of which holds the row for a moment. */
  private static void takeTurns(PostgresStore store, AtomicInteger turns, AtomicBoolean enough) {
    try (Connection connection = begin()) {
      while (!enough.get()) {
        Row.A_CAPPED_QUEUE.hold(connection, store, "");
        Row.execute(connection, "select pg_sleep(0.03)");
        connection.rollback();
        turns.incrementAndGet();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void enqueue_fails_whenItWaitedAsLongAsAStatementMayTake() throws SQLException {
    try (PostgresStore store = open(Duration.ofSeconds(2));
        Connection connection = begin()) {
      store.insert(connection, List.of(Row.A_KEY.job()));
      SluiceException refused =
          catchThrowableOfType(SluiceException.class, () -> store.insert(List.of(Row.A_KEY.job())));
      assertThat(refused.code()).isEqualTo(ErrorCode.PERSISTENCE_FAILURE);
      assertThat(refused).hasMessageContaining("another transaction holds");
      connection.commit();
      assertThat(store.insert(List.of(Row.A_KEY.job())).getFirst().duplicate()).isTrue();
    }
  }

  @Test
  void outcomes_areWritten_whileAnotherWaits() throws SQLException {
    CountDownLatch gate = new CountDownLatch(1);
    try (Sluice sluice = engine(gate);
        Connection connection = begin()) {
      UUID first = sluice.enqueue(Jobs.of("held")).id();
      Eventually.await("it runs", () -> state(sluice, first) == JobState.RUNNING);
      UUID next = sluice.enqueue(connection, Jobs.of("plain").after(first)).id();
      gate.countDown();
      List<UUID> others = IntStream.range(0, 100)
          .mapToObj(i -> sluice.enqueue(Jobs.of("plain")).id())
          .toList();
      Eventually.await(
          "the others to complete",
          SOON,
          () -> others.stream().allMatch(id -> state(sluice, id) == JobState.COMPLETED));
      assertThat(state(sluice, first)).isEqualTo(JobState.RUNNING);
      connection.commit();
      Eventually.await("all to complete", SOON, () -> state(sluice, next) == JobState.COMPLETED);
      assertThat(sluice.find(first).orElseThrow().attempt()).isEqualTo(1);
    }
  }

  @Test
  void outcomes_areWritten_whileABatchCannotEnd() throws SQLException {
    CountDownLatch gate = new CountDownLatch(1);
    try (Sluice sluice = engine(gate);
        Connection connection = begin()) {
      BatchRequest request = BatchRequest.named("some");
      request.add(Jobs.of("held"));
      UUID batch = sluice.enqueue(request).id();
      UUID next = sluice.enqueue(connection, Jobs.of("plain").after(batch)).id();
      gate.countDown();
      for (int i = 0; i < 20; i++) {
        UUID other = sluice.enqueue(Jobs.of("plain")).id();
        Eventually.await(
            "another to complete", SOON, () -> state(sluice, other) == JobState.COMPLETED);
      }
      connection.commit();
      Eventually.await("all to complete", SOON, () -> state(sluice, next) == JobState.COMPLETED);
    }
  }

  @Test
  void jobsExpire_whileOneThatWaitsForThemIsHeld() throws SQLException {
    try (Sluice sluice = engine(new CountDownLatch(1));
        Connection connection = begin()) {
      Instant soon = InstantSource.system().instant().plusSeconds(1);
      UUID first = sluice.enqueue(Jobs.of("nobody").expiresAt(soon)).id();
      UUID next = sluice.enqueue(Jobs.of("nobody").after(first)).id();
      UUID last = sluice.enqueue(connection, Jobs.of("nobody").after(next)).id();
      UUID other = sluice.enqueue(Jobs.of("nobody").expiresAt(soon)).id();
      Eventually.await(
          "both to expire",
          SOON,
          () -> List.of(first, other).stream()
              .allMatch(id -> state(sluice, id) == JobState.CANCELLED));
      assertThat(state(sluice, next)).isEqualTo(JobState.SCHEDULED);
      connection.commit();
      Eventually.await(
          "the others to be cancelled with it",
          SOON,
          () ->
              List.of(next, last).stream().allMatch(id -> state(sluice, id) == JobState.CANCELLED));
    }
  }

  @Test
  void jobsOfALostWorker_areRescued_whileOneOfThemIsHeld() throws SQLException {
    try (PostgresStore store = open(Duration.ofSeconds(60));
        Connection connection = begin()) {
      store.insert(Sample.jobs(9));
      List<UUID> lost = Sample.claim(store, mayfly(store), 10).stream()
          .map(claimed -> claimed.ref().job())
          .toList();
      UUID held = lost.get(4);
      store.insert(connection, List.of(Sample.after("next", held)));
      try (Sluice rescuer = Sluice.builder(ground.store().build())
          .withoutWork()
          .lease(Duration.ofSeconds(3))
          .build()
          .start()) {
        Eventually.await(
            "the others to wait again",
            SOON,
            () -> lost.stream()
                .filter(id -> !id.equals(held))
                .allMatch(id -> state(rescuer, id) == JobState.PENDING));
        assertThat(state(rescuer, held)).isEqualTo(JobState.RUNNING);
        connection.commit();
        Eventually.await("all to wait", SOON, () -> state(rescuer, held) == JobState.PENDING);
      }
    }
  }

  /** A worker that nobody hears of again. */
  private static long mayfly(PostgresStore store) {
    WorkerSpec spec = new WorkerSpec("mayfly", 10, Set.of("sample"), Set.of());
    return store.workers().register(spec, Duration.ofSeconds(4));
  }

  private PostgresStore open(Duration timeout) {
    PostgresStore store =
        SERVER.store(ground.schema()).daysAhead(1).statementTimeout(timeout).build();
    store.open();
    store.queues().save(QueueSettings.of("capped").withMaxSize(1_000L));
    store.insert(List.of(Sample.job("capped", "{}", null)));
    return store;
  }

  private Sluice engine(CountDownLatch gate) {
    return Sluice.builder(ground.store().build())
        .handler("held", Object.class, (job, context) -> gate.await())
        .handler("plain", Object.class, (job, context) -> {})
        .build()
        .start();
  }

  private static Connection begin() throws SQLException {
    Connection connection = SERVER.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private static List<NewJob> strangers() {
    return IntStream.range(0, 20).mapToObj(i -> Sample.jobOf("other")).toList();
  }

  /** Each by a caller of its own. */
  private List<CompletableFuture<Enqueued>> insert(PostgresStore store, List<NewJob> jobs) {
    List<CompletableFuture<Enqueued>> answers = new ArrayList<>();
    for (NewJob job : jobs) {
      answers.add(
          CompletableFuture.supplyAsync(() -> store.insert(List.of(job)).getFirst(), callers));
    }
    return answers;
  }

  private static void awaitAll(String who, List<CompletableFuture<Enqueued>> answers) {
    Eventually.await(
        who + " to be taken", SOON, () -> answers.stream().allMatch(CompletableFuture::isDone));
    assertThat(answers).allSatisfy(answer -> assertThat(answer).isCompleted());
  }

  private static JobState state(Sluice sluice, UUID id) {
    return sluice.find(id).map(job -> job.state()).orElse(JobState.PENDING);
  }
}
