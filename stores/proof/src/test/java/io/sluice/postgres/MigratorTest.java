package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.testkit.Together;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
