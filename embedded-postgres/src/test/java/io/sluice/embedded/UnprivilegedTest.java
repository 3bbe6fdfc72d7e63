package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Root starts PostgreSQL, and PostgreSQL gets none of root's rights. */
@Tag("slow")
class UnprivilegedTest {
  @TempDir
  Path folder;

  private Path data;

  @BeforeEach
  void make() throws IOException {
    assumeTrue(RunAs.isRoot(), "only root can leave root");
    assumeTrue(Command.onPath("setpriv").isPresent(), "setpriv is missing");
    data = Files.createDirectory(
        folder.resolve("data"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  private void mode(String mode) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(mode));
  }

  private EmbeddedPostgres start() {
    return EmbeddedPostgres.builder(data.resolve("postgres")).unprivileged(data).start();
  }

  private static int userOf(EmbeddedPostgres postgres) throws IOException {
    return (Integer)
        Files.getAttribute(Path.of("/proc", String.valueOf(postgres.pid())), "unix:uid");
  }

  private static String modeOf(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }

  @Test
  void root_runsItAsAnotherUser_whoGetsToNothingElse() throws Exception {
    mode("rwx--x--x");
    Path roots = Files.createDirectory(
        folder.resolve("roots"),
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.writeString(data.resolve("master.key"), "of root");
    Files.setPosixFilePermissions(
        data.resolve("master.key"), PosixFilePermissions.fromString("rw-------"));
    try (EmbeddedPostgres postgres = start()) {
      assertThat(userOf(postgres)).isNotZero();
      assertThatThrownBy(() -> Sql.run(postgres, "copy (select 1) to '" + roots + "/file'"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("Permission denied");
      assertThatThrownBy(() -> Sql.ask(postgres, "select pg_read_file('" + data + "/master.key')"))
          .hasMessageContaining("Permission denied");
      Sql.run(postgres, "create table t as select 42 as answer");
    }
    assertThat(modeOf(data)).isEqualTo("rwx--x---");
  }

  @Test
  void programs_areUnpackedOnce_forAllDataFolders() throws Exception {
    assumeTrue(SharedCache.SYSTEM.open().isPresent(), "this machine has no cache for all users");
    mode("rwx--x--x");
    try (EmbeddedPostgres postgres = start()) {
      assertThat(userOf(postgres)).isNotZero();
    }
    assertThat(data.resolve("postgres/binaries")).doesNotExist();
    try (EmbeddedPostgres again = start()) {
      assertThat(userOf(again)).isNotZero();
    }
  }

  @Test
  void laterStart_runsItAsTheSameUser_andStopsWhatAKilledOwnerLeft() throws Exception {
    mode("rwx--x--x");
    Path folder = data.resolve("postgres");
    int user;
    try (EmbeddedPostgres postgres = start()) {
      user = userOf(postgres);
    }
    Owner owner = Owner.start(folder, folder.resolve("binaries"));
    String answer = owner.answer();
    assertThat(answer).startsWith("ready ");
    long orphan = Long.parseLong(answer.substring("ready ".length()));
    owner.kill();
    assertThat(ProcessHandle.of(orphan)).isPresent();
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(folder).start()) {
      assertThat(userOf(postgres)).isEqualTo(user).isNotZero();
      assertThat(Sql.ask(postgres, "select line from kept")).contains("first owner");
      assertThat(
              Await.until(Duration.ofSeconds(60), () -> ProcessHandle.of(orphan).isEmpty()))
          .isTrue();
    }
  }

  @Test
  void folderThatNobodyElseReaches_isLeftAsItIs() throws Exception {
    mode("rwx------");
    try (EmbeddedPostgres postgres = start()) {
      assertThat(userOf(postgres)).isZero();
      assertThat(Sql.ask(postgres, "select 1")).isEqualTo("1");
    }
    assertThat(modeOf(data)).isEqualTo("rwx------");
    assertThat(modeOf(data.resolve("postgres"))).isEqualTo("rwx------");
    assertThat(Files.getAttribute(data, "unix:gid")).isEqualTo(0);
  }
}
