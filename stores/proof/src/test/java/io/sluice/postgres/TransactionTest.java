package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.ErrorCode;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.JobType;
import io.sluice.Jobs;
import io.sluice.RetryPolicy;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs that come and end in the caller's own transaction. */
class TransactionTest {
  private static final Server SERVER = Server.POSTGRES_18;

  private final Ground ground = Schemas.take(SERVER);
  private final String schema = ground.schema();
  private final String ledger = schema + "_ledger";

  @BeforeEach
  void make() {
    SERVER.run("create table " + ledger + " (job uuid not null)");
  }

  @AfterEach
  void clear() {
    SERVER.run("drop table " + ledger);
    Schemas.giveBack(ground);
  }

  @Test
  void enqueue_existsOnceTheCallerCommits_andNotBefore() throws SQLException {
    try (Sluice sluice = engine(JobType.of("t", Object.class).handle((job, context) -> {}));
        Connection connection = begin()) {
      UUID id = sluice.enqueue(connection, Jobs.of("t").idempotencyKey("k")).id();
      write(connection, id);
      assertThat(sluice.find(id)).isEmpty();
      connection.commit();
      assertThat(ended(sluice, id).state()).isEqualTo(JobState.COMPLETED);
      assertThat(rows()).isEqualTo(1);
      assertThat(sluice.enqueue(connection, Jobs.of("t").idempotencyKey("k")).duplicate())
          .isTrue();
      connection.rollback();
    }
  }

  @Test
  void enqueue_leavesNothing_whenTheCallerRollsBack() throws SQLException {
    try (Sluice sluice = engine(JobType.of("t", Object.class).handle((job, context) -> {}));
        Connection connection = begin()) {
      UUID id = sluice.enqueue(connection, Jobs.of("t").idempotencyKey("k")).id();
      connection.rollback();
      assertThat(sluice.find(id)).isEmpty();
      assertThat(sluice.enqueue(Jobs.of("t").idempotencyKey("k")).duplicate()).isFalse();
    }
  }

  @Test
  void lane_thatTheCallerRollsBack_isNotRemembered() throws SQLException {
    try (Sluice sluice = engine(JobType.of("t", Object.class).handle((job, context) -> {}));
        Connection connection = begin();
        Statement statement = connection.createStatement()) {
      sluice.enqueue(Jobs.of("t"));
      statement.execute("select " + schema + ".enqueue('other')");
      sluice.enqueue(connection, Jobs.of("other"));
      connection.rollback();
      UUID id = sluice.enqueue(Jobs.of("other")).id();
      assertThat(sluice.find(id)).isPresent();
    }
  }

  @Test
  void enqueue_isRefused_onAConnectionWithoutATransaction() throws SQLException {
    try (Sluice sluice = engine(JobType.of("t", Object.class).handle((job, context) -> {}));
        Connection connection = SERVER.connect()) {
      SluiceException refused = catchThrowableOfType(
          SluiceException.class, () -> sluice.enqueue(connection, Jobs.of("t")));
      assertThat(refused.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
      assertThat(refused).hasMessageContaining("auto-commit");
    }
  }

  @Test
  void completeWith_commitsWorkAndCompletionTogether() {
    try (Sluice sluice = engine(JobType.of("t", Object.class).handle((job, context) -> {
      try (Connection connection = begin()) {
        write(connection, job.id());
        context.result(42);
        context.completeWith(connection);
        assertThat(sees(job.id())).isFalse();
        connection.commit();
      }
    }))) {
      JobRecord job = ended(sluice, sluice.enqueue(Jobs.of("t")).id());
      assertThat(job.state()).isEqualTo(JobState.COMPLETED);
      assertThat(job.status().result()).isEqualTo("42");
      assertThat(job.status().errors()).isEmpty();
      assertThat(rows()).isEqualTo(1);
    }
  }

  @Test
  void completeWith_thatIsRolledBack_isAFailedAttempt() {
    try (Sluice sluice =
        engine(JobType.of("t", Object.class).retry(RetryPolicy.none()).handle((job, context) -> {
          try (Connection connection = begin()) {
            write(connection, job.id());
            context.completeWith(connection);
            connection.rollback();
          }
        }))) {
      JobRecord job = ended(sluice, sluice.enqueue(Jobs.of("t")).id());
      assertThat(job.state()).isEqualTo(JobState.DEAD);
      assertThat(job.status().errors().getFirst().message()).contains("completeWith");
      assertThat(rows()).isZero();
    }
  }

  @Test
  void completeWith_isRefused_inATransactionThatSeesOnlyWhatWasBefore() {
    JobType<?> type = JobType.of("t", Object.class)
        .retry(RetryPolicy.none())
        .handle((job, context) -> {
          try (Connection connection = begin()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            context.completeWith(connection);
          }
        });
    try (Sluice sluice = engine(type)) {
      JobRecord job = ended(sluice, sluice.enqueue(Jobs.of("t")).id());
      assertThat(job.state()).isEqualTo(JobState.DEAD);
      assertThat(job.status().errors().getFirst().message()).contains("READ COMMITTED");
    }
  }

  @Test
  void completeWith_isRefused_whenTheJobIsNoLongerOurs() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    CountDownLatch over = new CountDownLatch(1);
    AtomicReference<SluiceException> refused = new AtomicReference<>();
    try (Sluice sluice = engine(JobType.of("t", Object.class).handle((job, context) -> {
      started.countDown();
      while (true) {
        try {
          cancelled.await();
          break;
        } catch (InterruptedException e) {
          // A handler that does not listen: the claim must stop it.
        }
      }
      try (Connection connection = begin()) {
        write(connection, job.id());
        context.completeWith(connection);
        connection.commit();
      } catch (SluiceException e) {
        refused.set(e);
      }
      over.countDown();
    }))) {
      UUID id = sluice.enqueue(Jobs.of("t")).id();
      started.await();
      sluice.cancel(id);
      cancelled.countDown();
      over.await();
      assertThat(refused.get().code()).isEqualTo(ErrorCode.LEASE_LOST);
      assertThat(sluice.find(id).orElseThrow().state()).isEqualTo(JobState.CANCELLED);
      assertThat(rows()).isZero();
    }
  }

  private Sluice engine(JobType<?> type) {
    return Sluice.builder(ground.store().build()).handler(type).build().start();
  }

  private static Connection begin() throws SQLException {
    Connection connection = SERVER.connect();
    connection.setAutoCommit(false);
    return connection;
  }

  private void write(Connection connection, UUID job) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("insert into " + ledger + " values ('" + job + "')");
    }
  }

  private boolean sees(UUID job) {
    return SERVER
        .ask("select exists (select 1 from " + ledger + " where job = '" + job + "')")
        .equals("t");
  }

  private long rows() {
    return Long.parseLong(SERVER.ask("select count(*) from " + ledger));
  }

  private static JobRecord ended(Sluice sluice, UUID id) {
    Eventually.await(
        "job " + id + " ends",
        () -> sluice.find(id).filter(job -> job.state().isFinal()).isPresent());
    return sluice.find(id).orElseThrow();
  }
}
