package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.store.ClaimedJob;
import io.sluice.store.NewJob;
import io.sluice.testkit.Eventually;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database whose transactions are REPEATABLE READ unless they say otherwise. */
@Tag("slow")
class IsolationTest {
  private static final Server SERVER = Server.POSTGRES_18;

  /** Whose connections a store uses. */
  enum Connected {
    ITS_OWN,
    POOLED,
    A_CALLERS
  }

  private final String name = Server.newSchema();
  private final String url = SERVER.url().replaceFirst("(127\\.0\\.0\\.1:\\d+)/\\w+", "$1/" + name);

  @BeforeEach
  void make() {
    SERVER.run("create database " + name);
    SERVER.run("alter database " + name + " set default_transaction_isolation = 'repeatable read'");
  }

  @AfterEach
  void drop() {
    SERVER.run("drop database " + name + " with (force)");
  }

  @ParameterizedTest
  @EnumSource(Connected.class)
  void anEnd_seesTheSuccessor_whoseInsertItWaitedFor(Connected whose) throws SQLException {
    try (PostgresStore store = store(whose)) {
      NewJob first = Sample.job();
      store.insert(List.of(first));
      List<ClaimedJob> claimed = Sample.claim(store, Sample.worker(store), 1);
      NewJob next = Sample.after("next", first.id());
      try (Connection connection = begin(Connection.TRANSACTION_READ_COMMITTED)) {
        store.insert(connection, List.of(next));
        CompletableFuture<Set<?>> end =
            CompletableFuture.supplyAsync(() -> store.finish(Sample.completed(claimed)));
        awaitBlocked();
        connection.commit();
        assertThat(end.join()).hasSize(1);
      }
      assertThat(store.find(next.id()).orElseThrow().state()).isEqualTo(JobState.PENDING);
    }
  }

  @Test
  void insert_isRefused_inATransactionThatSeesOnlyWhatWasBefore() throws SQLException {
    try (PostgresStore store = store(Connected.ITS_OWN);
        Connection connection = begin(Connection.TRANSACTION_REPEATABLE_READ)) {
      for (NewJob job : List.of(Sample.job(), Sample.job("default", "{}", "key"))) {
        SluiceException refused = catchThrowableOfType(
            SluiceException.class, () -> store.insert(connection, List.of(job)));
        assertThat(refused.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
        assertThat(refused)
            .hasMessageContaining("must be READ COMMITTED")
            .hasMessageContaining("is REPEATABLE READ");
      }
      connection.commit();
      assertThat(store.counts(null)).isEmpty();
    }
  }

  @Test
  void cap_isNotPassed_byATransactionThatIsOlderThanTheCap() throws SQLException {
    try (PostgresStore store = store(Connected.ITS_OWN);
        Connection connection = begin(Connection.TRANSACTION_REPEATABLE_READ);
        Statement statement = connection.createStatement()) {
      store.insert(List.of(Sample.job()));
      statement.execute("select count(*) from sluice.queue");
      store.queues().save(QueueSettings.of("default").withMaxSize(1L));
      assertThatThrownBy(() -> store.insert(connection, List.of(Sample.job())))
          .hasMessageContaining("READ COMMITTED");
      assertThatThrownBy(() -> statement.execute("select sluice.enqueue('t')"))
          .hasMessageContaining("READ COMMITTED");
    }
  }

  @Test
  void open_isRefused_whereTransactionsHaveBegunAsAnotherKind() {
    PlainSource begun = () -> {
      Connection connection = begin(Connection.TRANSACTION_REPEATABLE_READ);
      try (Statement statement = connection.createStatement();
          ResultSet row = statement.executeQuery("select 1")) {
        assertThat(row.next()).isTrue();
      }
      return connection;
    };
    try (PostgresStore store = PostgresStore.builder().dataSource(begun).build()) {
      SluiceException refused = catchThrowableOfType(SluiceException.class, store::open);
      assertThat(refused.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
      assertThat(refused).hasMessageContaining("READ COMMITTED");
    }
  }

  @Test
  void open_isRefused_whereTheAddressReplacesOurOptions() {
    try (PostgresStore store = PostgresStore.connect(url + "&options=-c%20jit=off")) {
      SluiceException refused = catchThrowableOfType(SluiceException.class, store::open);
      assertThat(refused.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
      assertThat(refused).hasMessageContaining("is REPEATABLE READ");
    }
  }

  private PostgresStore store(Connected whose) {
    PostgresStoreBuilder settings = switch (whose) {
      case ITS_OWN -> PostgresStore.builder().url(url);
      case POOLED -> PostgresStore.builder().url(url).pooled(true);
      case A_CALLERS -> {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        yield PostgresStore.builder().dataSource(source);
      }
    };
    PostgresStore store = settings.daysAhead(1).build();
    store.open();
    return store;
  }

  private Connection begin(int isolation) throws SQLException {
    Connection connection = DriverManager.getConnection(url);
    connection.setTransactionIsolation(isolation);
    connection.setAutoCommit(false);
    return connection;
  }

  private void awaitBlocked() {
    Eventually.await(
        "somebody to wait",
        () -> !SERVER
            .ask("select count(*) from pg_stat_activity where wait_event_type = 'Lock' "
                + "and datname = '" + name + "'")
            .equals("0"));
  }
}
