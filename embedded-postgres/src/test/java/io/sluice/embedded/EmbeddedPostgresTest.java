package io.sluice.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedPostgresTest {
  /** One for all tests, and made by the first: making a cluster takes longer than most of them. */
  @TempDir
  static Path folder;

  @Test
  void start_runsWithDurableSettings() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      assertThat(Sql.ask(postgres, "show fsync")).isEqualTo("on");
      assertThat(Sql.ask(postgres, "show full_page_writes")).isEqualTo("on");
      assertThat(Sql.ask(postgres, "show synchronous_commit")).isEqualTo("on");
      assertThat(Sql.ask(postgres, "show data_checksums")).isEqualTo("on");
      assertThat(Sql.ask(postgres, "show listen_addresses")).isEqualTo("127.0.0.1");
      assertThat(Sql.ask(postgres, "show server_encoding")).isEqualTo("UTF8");
      assertThat(Sql.ask(postgres, "select pg_postmaster_start_time() is not null"))
          .isEqualTo("t");
      assertThat(ProcessHandle.of(postgres.pid())).isPresent();
    }
  }

  @Test
  void connecting_isCheap_whilePasswordsOfOthersAreStretched() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      Sql.run(postgres, "create role other login password 'made by a person'");
      String verifier = "select split_part(rolpassword, ':', 1) from pg_authid where rolname = ";
      assertThat(Sql.ask(postgres, verifier + "'" + Cluster.USER + "'"))
          .isEqualTo("SCRAM-SHA-256$1");
      assertThat(Sql.ask(postgres, verifier + "'other'")).isEqualTo("SCRAM-SHA-256$4096");
    }
  }

  @Test
  void environment_isThatOfTheServer() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.builder(folder)
        .environment("SLUICE_TEST", "of the server")
        .start()) {
      Sql.run(postgres, "create table environment (value text)");
      Sql.run(postgres, "copy environment from program 'printenv SLUICE_TEST'");
      assertThat(Sql.ask(postgres, "select value from environment")).isEqualTo("of the server");
    }
  }

  @Test
  void start_isRefused_withUnsafeSetting() throws Exception {
    assertThatThrownBy(() -> EmbeddedPostgres.builder(folder)
            .setting("synchronous_commit", "off")
            .start())
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("synchronous_commit = off");

    assertThat(folder.resolve("pgdata/postmaster.pid")).doesNotExist();
    EmbeddedPostgres.start(folder).stop();
  }

  @Test
  void start_failsWithTheLog_onBadSetting() {
    assertThatThrownBy(
            () -> EmbeddedPostgres.builder(folder).setting("no_such", "1").start())
        .isInstanceOf(EmbeddedPostgresException.class)
        .hasMessageContaining("unrecognized configuration parameter \"no_such\"");
  }

  @Test
  void restart_keepsData() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      Sql.run(postgres, "create table t as select 42 as answer");
    }
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      assertThat(Sql.ask(postgres, "select answer from t")).isEqualTo("42");
    }
  }

  @Test
  void stop_endsTheServer_andMayBeRepeated() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.start(folder);
    postgres.stop();
    assertThat(ProcessHandle.of(postgres.pid())).isEmpty();
    try (EmbeddedPostgres next = EmbeddedPostgres.start(folder)) {
      postgres.stop();
      assertThatThrownBy(() -> EmbeddedPostgres.start(folder)).hasMessageContaining("in use");
      assertThat(Sql.ask(next, "select 1")).isEqualTo("1");
    }
  }

  @Test
  void start_usesTheGivenPort_andRefusesATakenOne(@TempDir Path other) throws Exception {
    int port = freePort();
    try (EmbeddedPostgres first = EmbeddedPostgres.builder(folder).port(port).start()) {
      assertThat(first.port()).isEqualTo(port);
      assertThatThrownBy(() -> EmbeddedPostgres.builder(other).port(port).start())
          .isInstanceOf(EmbeddedPostgresException.class)
          .hasMessageContaining("is taken");
    }
  }

  /** One below those that the system gives to programs that ask for any: it is still free a moment later. */
  private static int freePort() {
    for (int port = 15_000 + (int) (ProcessHandle.current().pid() % 10_000);
        port < 32_000;
        port++) {
      try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return free.getLocalPort();
      } catch (IOException e) {
        // Taken: try another.
      }
    }
    throw new IllegalStateException("no port is free");
  }

  @Test
  void password_isPrivateAndAskedFor() throws Exception {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder)) {
      assertThat(PosixFilePermissions.toString(
              Files.getPosixFilePermissions(folder.resolve("password"))))
          .isEqualTo("rw-------");
      assertThat(Sql.ask(postgres, "select rolpassword from pg_authid where rolname = 'sluice'"))
          .startsWith("SCRAM-SHA-256$");
      assertThatThrownBy(() -> DriverManager.getConnection(postgres.jdbcUrl(), "sluice", "guess"))
          .isInstanceOf(SQLException.class)
          .hasMessageContaining("password authentication failed");
    }
  }

  @Test
  void start_isRefused_withDamagedPassword() throws Exception {
    EmbeddedPostgres.start(folder).stop();
    Path file = folder.resolve("password");
    String whole = Files.readString(file);

    Files.writeString(file, whole.substring(0, 20));
    assertThatThrownBy(() -> EmbeddedPostgres.start(folder)).hasMessageContaining("is damaged");
    Files.write(file, new byte[] {0, -1, 7});
    assertThatThrownBy(() -> EmbeddedPostgres.start(folder)).hasMessageContaining("is damaged");
    Files.delete(file);
    assertThatThrownBy(() -> EmbeddedPostgres.start(folder)).hasMessageContaining("is missing");

    Files.writeString(file, whole);
    EmbeddedPostgres.start(folder).stop();
  }

  @Test
  void stop_isOrderly_alsoInAnInterruptedThread() throws Exception {
    EmbeddedPostgres postgres = EmbeddedPostgres.start(folder);
    Path log = folder.resolve("server.log");
    int before = Files.readString(log).length();
    Thread.currentThread().interrupt();
    postgres.stop();
    assertThat(Thread.interrupted()).isTrue();
    assertThat(Files.readString(log).substring(before)).contains("database system is shut down");
  }
}
