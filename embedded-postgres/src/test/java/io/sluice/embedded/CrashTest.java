package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("slow")
class CrashTest {
  private static final Path CACHE =
      Path.of(System.getProperty("user.home"), ".cache", "sluice", "postgres");

  @TempDir
  Path folder;

  @Test
  void secondOwner_isRefused_inAnotherProcess() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      // A refused try in this process must not lose the lock against the other one.
      assertThatThrownBy(() -> EmbeddedPostgres.start(folder)).hasMessageContaining("in use");
      Owner other = Owner.start(folder, CACHE);
      assertThat(other.answer())
          .startsWith("refused")
          .contains(folder.toRealPath().toString())
          .contains("process " + ProcessHandle.current().pid());
      other.finish();
      assertThat(Sql.ask(postgres, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void liveOwner_inAnotherProcess_isRespected() throws Exception {
    Owner other = Owner.start(folder, CACHE);
    assertThat(other.answer()).startsWith("ready");
    assertThatThrownBy(() -> EmbeddedPostgres.start(folder))
        .hasMessageContaining("process " + other.pid());
    other.finish();
    EmbeddedPostgres.start(folder).stop();
  }

  @Test
  void orphan_ofAKilledOwner_isStoppedAndRecovered() throws Exception {
    Owner owner = Owner.start(folder, CACHE);
    String answer = owner.answer();
    assertThat(answer).startsWith("ready");
    long orphan = Long.parseLong(answer.substring("ready ".length()));
    owner.kill();
    assertThat(ProcessHandle.of(orphan)).isPresent();

    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      assertThat(postgres.pid()).isNotEqualTo(orphan);
      assertThat(
              Await.until(Duration.ofSeconds(60), () -> ProcessHandle.of(orphan).isEmpty()))
          .isTrue();
      assertThat(Sql.ask(postgres, "select line from kept")).contains("first owner");
    }
  }

  @Test
  void killedServer_isRecovered() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      Sql.run(postgres, "create table kept as select 42 as answer");
      ProcessHandle server = ProcessHandle.of(postgres.pid()).orElseThrow();
      server.destroyForcibly();
      server.onExit().join();
    }
    assertThat(folder.resolve("pgdata/postmaster.pid")).exists();
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      assertThat(Sql.ask(postgres, "select answer from kept")).isEqualTo("42");
    }
  }

  @Test
  void pidFile_thatNamesAStranger_harmsNobody() throws Exception {
    EmbeddedPostgres.start(folder).stop();
    long stranger = ProcessHandle.current().pid();
    Path pidFile = folder.resolve("pgdata/postmaster.pid");
    Files.writeString(
        pidFile, stranger + "\n" + folder.resolve("pgdata") + "\n0\n1\n\n\n\nready\n");
    EmbeddedPostgres.start(folder).stop();

    Files.writeString(pidFile, "garbage");
    EmbeddedPostgres.start(folder).stop();
  }

  @Test
  void halfMadeCluster_isMadeAnew() throws Exception {
    Files.createDirectories(folder.resolve("pgdata.half/base"));
    Files.writeString(folder.resolve("pgdata.half/PG_VERSION"), "18\n");
    EmbeddedPostgres.start(folder).stop();
    assertThat(folder.resolve("pgdata.half")).doesNotExist();
  }
}
