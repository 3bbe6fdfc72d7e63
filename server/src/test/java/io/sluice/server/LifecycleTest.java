package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Screen;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real processes with a PostgreSQL of their own, from the first start to the last stop. */
@Tag("slow")
class LifecycleTest {
  @TempDir
  Path folder;

  @Test
  void children_inheritNoSettings() throws IOException {
    String key = "a-key-that-no-child-may-have-in-its-environment";
    try (ServerProcess server = ServerProcess.of(
            folder,
            ProgramCommand.line(ProgramCommand.BRIEF, "server", "--port", "0"),
            Map.of("SLUICE_ADMIN_KEY", key, "SLUICE_LAESE", "1s"))
        .awaitReady()) {
      assertThat(new Client(server.address(), key).get("/metrics").status()).isEqualTo(200);
      assertThat(server.err())
          .contains("warning: SLUICE_LAESE is not a setting; did you mean SLUICE_LEASE?");
      assertThat(environment(ProcessHandle.of(server.pid()).orElseThrow())).contains(key);
      List<ProcessHandle> children =
          ProcessHandle.of(server.pid()).orElseThrow().descendants().toList();
      assertThat(children).isNotEmpty();
      for (ProcessHandle child : children) {
        assertThat(environment(child)).doesNotContain("SLUICE_");
      }
    }
  }

  private static String environment(ProcessHandle process) throws IOException {
    return Files.readString(
        Path.of("/proc", String.valueOf(process.pid()), "environ"), StandardCharsets.ISO_8859_1);
  }

  @Test
  void shutdownDelay_keepsServing_andIsSeenAsNotReady() throws Exception {
    try (ServerProcess server = ServerProcess.serve(folder, "--shutdown-delay", "10m")) {
      Client client = new Client(server.address(), server.key());
      server.terminate();
      Eventually.await("it is not ready", () -> client.get("/health/ready").status() == 503);
      assertThat(client.get("/health/live").status()).isEqualTo(200);
      assertThat(client.post("/v1/jobs", "{\"type\":\"x\"}").status()).isEqualTo(201);
      server.kill();
    }
  }

  @Test
  void server_startsRefusesASecondIsKilledRecoversAndStops() throws IOException {
    Path keyFile = folder.resolve("sluice-data/admin.key");
    ProcessHandle orphan;
    try (ServerProcess first = ServerProcess.serve(folder)) {
      assertThat(first.key()).startsWith("sluice_admin_").hasSizeGreaterThan(50);
      assertThat(first.out())
          .as("a key in a log would be kept there")
          .contains("Admin key is in " + keyFile.toRealPath())
          .doesNotContain(first.key());
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(keyFile)))
          .isEqualTo("rw-------");
      assertThat(first.out().lines()).last().isEqualTo("Sluice ready on " + first.address());
      assertThat(new Client(first.address(), null).get("/health/ready").status())
          .isEqualTo(200);
      assertThat(new Client(first.address(), first.key()).get("/metrics").status())
          .isEqualTo(200);

      Path note = folder.resolve("sluice-data/server.address");
      assertThat(note).hasContent(first.address());
      Terminal terminal = new Terminal(
          Map.of("SLUICE_DATA", folder.resolve("sluice-data").toString()), Screen.NONE);
      assertThat(terminal.run("stats").code()).as("found without being told").isZero();

      ServerProcess second =
          ServerProcess.run(folder, ProgramCommand.BRIEF, "server", "--port", "0");
      assertThat(second.exit()).isEqualTo(1);
      assertThat(second.err().lines())
          .singleElement()
          .asString()
          .startsWith("sluice: cannot start: data folder ")
          .contains("in use", "process " + first.pid());
      assertThat(second.out()).isEmpty();

      orphan = first.postgres();
      first.kill();
      assertThat(orphan.isAlive()).isTrue();
    }
    try (ServerProcess third = ServerProcess.serve(folder)) {
      Eventually.await("the orphan is gone", () -> isGone(orphan));
      assertThat(third.key()).isEmpty();
      ProcessHandle postgres = third.postgres();
      third.kill();
      postgres.destroyForcibly();
      Eventually.await("the postmaster is gone", () -> isGone(postgres));
    }
    try (ServerProcess fourth = ServerProcess.serve(folder)) {
      String key = Files.readString(keyFile).strip();
      assertThat(new Client(fourth.address(), key).get("/metrics").status()).isEqualTo(200);
      ProcessHandle postgres = fourth.postgres();
      assertThat(fourth.stop()).isZero();
      assertThat(folder.resolve("sluice-data/server.address")).doesNotExist();
      Eventually.await("its database is gone", () -> isGone(postgres));
      assertThat(fourth.err()).contains("SIGTERM: stopping").doesNotContain("\tat ");
      assertThat(fourth.err().lines()).last().asString().endsWith("stopped");
    }
  }

  @Test
  void server_endsWhenItsDatabaseDoes() {
    try (ServerProcess server = ServerProcess.serve(folder, "--drain", "1s")) {
      server.postgres().destroyForcibly();
      assertThat(server.exit()).isEqualTo(1);
      assertThat(server.err().lines())
          .last()
          .asString()
          .contains("the embedded PostgreSQL has ended, and this server with it");
    }
  }

  @Test
  void mistakes_endBeforeAnythingIsTouched() {
    try (ServerProcess wrong =
        ServerProcess.run(folder, ProgramCommand.BRIEF, "server", "--prot", "1", "--slots", "x")) {
      assertThat(wrong.exit()).isEqualTo(2);
      assertThat(wrong.err().lines())
          .containsExactly(
              "sluice: --prot is not a flag; did you mean --port?",
              "sluice: --slots must be a number from 1 to 10000, was 'x'",
              "sluice server --help shows what there is");
      assertThat(folder.resolve("sluice-data")).doesNotExist();
    }
  }

  @Test
  void settingsThatCannotBe_endBeforeAnythingIsTouched() throws IOException {
    String file = Files.writeString(folder.resolve("a.pem"), "no PEM").toString();
    try (ServerProcess secret = wrong("--jwt-secret", "short");
        ServerProcess url =
            wrong("--jwt-jwks-url", "http://foo", "--tls-cert", file, "--tls-key", file)) {
      assertRefused(secret, "sluice: jwt-secret must have 32 or more bytes");
      assertRefused(
          url,
          "sluice: jwt-jwks-url must begin with https://, was http://foo",
          "sluice: tls-cert: " + file + " is not PEM that can be read");
    }
  }

  private ServerProcess wrong(String... flags) {
    List<String> arguments = new ArrayList<>(
        List.of("server", "--port", "0", "--jwt-issuer", "i", "--jwt-audience", "a"));
    arguments.addAll(List.of(flags));
    return ServerProcess.run(folder, ProgramCommand.BRIEF, arguments.toArray(String[]::new));
  }

  private void assertRefused(ServerProcess wrong, String... problems) {
    assertThat(wrong.exit()).as(wrong.err()).isEqualTo(2);
    List<String> lines = wrong.err().lines().toList();
    assertThat(lines).hasSize(problems.length + 1);
    for (int i = 0; i < problems.length; i++) {
      assertThat(lines.get(i)).startsWith(problems[i]);
    }
    assertThat(wrong.out()).isEmpty();
    assertThat(folder.resolve("sluice-data")).doesNotExist();
  }

  /** True when a process has ended, though whoever inherited it may not have noticed yet. */
  private static boolean isGone(ProcessHandle process) {
    try {
      return !process.isAlive()
          || Files.readString(Path.of("/proc", String.valueOf(process.pid()), "status"))
              .contains("State:\tZ");
    } catch (IOException e) {
      return !process.isAlive();
    }
  }
}
