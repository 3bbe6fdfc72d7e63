package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.Together;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

@Tag("slow")
class MigratorTest {
  private final String schema = Server.newSchema();
  private Server server = Server.POSTGRES_18;

  @AfterEach
  void drop() {
    server.run("drop schema if exists " + schema + " cascade");
  }

  @ParameterizedTest
  @EnumSource(Server.class)
  void open_worksForTwenty_startingAtOnceOnAnEmptyDatabase(Server one) {
    server = one;
    Together.run(20, i -> () -> {
      try (PostgresStore store = server.store(schema).connections(2).build()) {
        store.open();
        return store.insert(List.of(Sample.job())).size();
      }
    });
    assertThat(server.ask("select count(*) from " + schema + ".ready")).isEqualTo("20");
    assertThat(server.ask("select count(*) from " + schema + ".migration"))
        .isEqualTo(String.valueOf(Migrator.newest()));
    assertThat(server.ask("select count(*) from " + schema + ".shelf")).isEqualTo("4");
    assertThat(server.ask("select count(*) from " + schema + ".job_0")).isEqualTo("0");
  }

  @Test
  void open_isRefused_onANewerSchema() {
    open();
    server.run("insert into " + schema + ".migration values ('jobs', 99, 'V099__later.sql', 1)");
    assertThatThrownBy(this::open).isInstanceOfSatisfying(SluiceException.class, e -> {
      assertThat(e.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
      assertThat(e).hasMessageContaining("version 99").hasMessageContaining("update");
    });
  }

  @Test
  void open_isRefused_whenAMigrationWasChanged() {
    open();
    server.run("update " + schema + ".migration set checksum = 1 where version = 1");
    assertThatThrownBy(this::open).isInstanceOfSatisfying(SluiceException.class, e -> {
      assertThat(e.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
      assertThat(e).hasMessageContaining("V001__jobs.sql");
    });
  }

  @Test
  void migration_mayTakeLonger_thanAStatementAndThanTheSocketWaits() throws SQLException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(server.url());
    Migrator migrator = Migrator.ofJobs(source, schema);
    try (Connection connection = server.connect()) {
      connection.setAutoCommit(false);
      migrator.run(connection, Set.of(1, 2));
      connection.commit();
    }
    try (Connection reader = server.connect();
        PostgresStore store = PostgresStore.builder()
            .url(server.url() + "&socketTimeout=2")
            .schema(schema)
            .statementTimeout(Duration.ofMillis(1500))
            .build()) {
      reader.setAutoCommit(false);
      reader.createStatement().execute("lock table " + schema + ".job in access share mode");
      CompletableFuture<Void> opened = CompletableFuture.runAsync(store::open);
      Eventually.await(
          "the migration to wait for three seconds, or to fail",
          () -> opened.isDone() || waitsForSeconds(3));
      assertThat(opened).isNotDone();
      reader.commit();
      opened.join();
    }
  }

  private boolean waitsForSeconds(int seconds) {
    return server
        .ask("select count(*) > 0 from pg_stat_activity a where a.wait_event_type = 'Lock' "
            + "and clock_timestamp() - a.query_start > interval '" + seconds + " s' "
            + "and a.query like '%\"" + schema + "\"%'")
        .equals("t");
  }

  @Test
  void open_failsPlainly_whenNobodyAnswers() {
    try (PostgresStore store =
        PostgresStore.connect("jdbc:postgresql://127.0.0.1:1/x?user=u&password=p")) {
      assertThatThrownBy(store::open)
          .isInstanceOfSatisfying(
              SluiceException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.PERSISTENCE_FAILURE));
    }
  }

  private void open() {
    try (PostgresStore store = server.store(schema).build()) {
      store.open();
    }
  }
}
