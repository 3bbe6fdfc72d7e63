package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.testkit.Eventually;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** A store on connections that belong to somebody else. */
class DataSourceTest {
  private static final Server SERVER = Server.POSTGRES_18;

  private final String schema = Server.newSchema();

  @AfterEach
  void clear() {
    SERVER.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void callersPool_servesTheEngine_andStaysOpen() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(SERVER.url());
    config.setMaximumPoolSize(8);
    try (HikariDataSource pool = new HikariDataSource(config)) {
      PostgresStore store =
          PostgresStore.builder().dataSource(pool).schema(schema).build();
      try (Sluice sluice = Sluice.builder(store)
          .handler("t", Object.class, (job, context) -> {})
          .build()
          .start()) {
        UUID id = sluice.enqueue(Jobs.of("t")).id();
        Eventually.await(
            "the job is done", () -> sluice.find(id).orElseThrow().state() == JobState.COMPLETED);
      }
      assertThat(pool.isClosed()).isFalse();
      Eventually.await(
          "every connection is back", () -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
      for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
        try (Connection connection = pool.getConnection();
            ResultSet channels =
                connection.createStatement().executeQuery("select pg_listening_channels()")) {
          assertThat(channels.next()).isFalse();
          assertThat(connection.getAutoCommit()).isTrue();
        }
      }
    }
  }

  @Test
  void enqueue_needsNoOtherConnection_whenWhatWasKnownOfTheQueueIsForgotten() throws SQLException {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(SERVER.url());
    // One for the caller, one that listens, and none to spare.
    config.setMaximumPoolSize(2);
    config.setConnectionTimeout(250);
    try (HikariDataSource pool = new HikariDataSource(config);
        PostgresStore other = SERVER.store(schema).build();
        PostgresStore store =
            PostgresStore.builder().dataSource(pool).schema(schema).build()) {
      other.open();
      other.insert(List.of(Sample.job()));
      store.open();
      Eventually.await(
          "one to listen", () -> pool.getHikariPoolMXBean().getActiveConnections() == 1);
      try (Connection connection = pool.getConnection()) {
        connection.setAutoCommit(false);
        assertThat(store.insert(connection, List.of(Sample.job()))).hasSize(1);
        connection.commit();
      }
    }
  }

  @Test
  void start_warns_whenACommitIsNoPromise() {
    PGSimpleDataSource careless = new PGSimpleDataSource();
    careless.setUrl(SERVER.url());
    careless.setOptions("-c synchronous_commit=off");
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, StandardCharsets.UTF_8));
    try (PostgresStore store =
        PostgresStore.builder().dataSource(careless).schema(schema).build()) {
      store.open();
    } finally {
      System.setErr(before);
    }
    assertThat(log.toString(StandardCharsets.UTF_8))
        .contains("WARN")
        .contains("synchronous_commit");
  }
}
