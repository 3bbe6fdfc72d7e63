package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Screen;
import io.sluice.server.Terminal.Ran;
import io.sluice.server.config.Commands;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody is shown who asks for settings, and what is said of those that cannot be. */
class ConfigCommandTest {
  private static final Path REFERENCE =
      Path.of("").toAbsolutePath().getParent().resolve("docs/sluice.yaml");
  private static final String SECRET = "a-secret-that-nobody-may-ever-see-1";

  @TempDir
  Path folder;

  private static Ran run(Map<String, String> variables, String... words) {
    return new Terminal(variables, Screen.NONE).run(words);
  }

  private Path write(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }

  @Test
  void reference_isTheFileInTheDocs() throws IOException {
    assertThat(Files.readString(REFERENCE))
        .as("docs/sluice.yaml must be what 'sluice config reference' prints: write that there")
        .isEqualTo(run(Map.of(), "config", "reference").out());
  }

  @Test
  void reference_outOfItsComments_isTheDefaultOfEverything() throws IOException {
    // Lines that have a default, or that are only an example, look the same: the latter are told
    // apart here.
    List<String> examples = List.of(
        "tls-",
        "database-url",
        "database-user",
        "database-password",
        "redis-url",
        "profile",
        "queue-size",
        "admin-key",
        "master-key",
        "allow-target",
        "jwt-issuer",
        "jwt-audience",
        "jwt-algorithms",
        "jwt-jwks-url",
        "jwt-secret",
        "jwt-admin",
        "database-pooled",
        "jwt-tenant-claim",
        "jwt-role-claim");
    String settings = Files.readString(REFERENCE)
        .lines()
        .filter(line -> line.matches("#[a-z-]+: .*"))
        .map(line -> line.substring(1))
        .filter(line -> examples.stream().noneMatch(line::startsWith))
        .collect(Collectors.joining("\n"));
    Path file = write("all.yaml", settings);
    assertThat(Commands.config(List.of("--config", file.toString()), Map.of()))
        .isEqualTo(Commands.config(List.of(), Map.of()));
    assertThat(settings.lines()).hasSizeGreaterThan(15);
  }

  @Test
  void show_saysWhereEachValueCameFrom_andHidesSecrets() throws IOException {
    Path file = write("sluice.yaml", "# mine", "lease: 45s", "port: 1", "profile: high-volume");
    Ran shown = run(
        Map.of("SLUICE_PORT", "7072", "SLUICE_ADMIN_KEY", SECRET),
        "config",
        "show",
        "--config",
        file.toString(),
        "--slots",
        "6",
        "--database-url",
        "jdbc:postgresql://h/d?password=" + SECRET);
    assertThat(shown.err()).isEmpty();
    assertThat(shown.code()).isZero();
    assertThat(shown.out()).doesNotContain(SECRET);
    assertThat(shown.out().lines().map(line -> line.replaceAll(" {2,}", " | ")))
        .contains(
            "host | 127.0.0.1 | default",
            "port | 7072 | SLUICE_PORT",
            "lease | 45s | sluice.yaml line 2",
            "slots | 6 | --slots",
            "attempts | 3 | profile high-volume",
            "queue-size | 50000 | profile high-volume",
            "database-url | jdbc:postgresql://h/d?*** | --database-url",
            "admin-key | *** | SLUICE_ADMIN_KEY",
            "master-key | made and kept | default",
            "tls-cert | - | default");
  }

  @Test
  void showAsJson_hasTheSame_andTheProblems() {
    Ran shown = run(Map.of("SLUICE_LEASE", "1ms"), "config", "show", "--json", "--port", "7071");
    assertThat(shown.code()).isEqualTo(2);
    var answer = new io.sluice.server.rest.Json().tree(shown.out());
    assertThat(answer.get("settings").get(1).toString()).isEqualTo("""
        {"setting":"port","value":"7071","source":"flag","place":"--port"}""");
    assertThat(answer.get("settings").get(2).toString()).isEqualTo("""
        {"setting":"tls-cert","value":null,"source":"default","place":"default"}""");
    assertThat(answer.get("problems").get(0).stringValue())
        .isEqualTo("SLUICE_LEASE must be 1s or more, was '1ms'");
  }

  @Test
  void everythingWrong_isSaidAtOnce_fromEverySource_andOfFilesFolderAndPort() throws IOException {
    Path file =
        write("sluice.yaml", "slots: many", "prot: 1", "jwt-secret: short", "jwt-issuer: i");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    Path pem = write("a.pem", "no PEM");
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      Ran refused = run(
          Map.of("SLUICE_DRAIN", "x", "SLUICE_JWT_AUDIENCE", "a"),
          "server",
          "--config",
          file.toString(),
          "--port",
          port,
          "--profile",
          "production",
          "--data",
          pem.resolve("data").toString(),
          "--tls-cert",
          pem.toString(),
          "--tls-key",
          pem.toString(),
          "--hots",
          "h");
      assertThat(refused.code()).isEqualTo(2);
      assertThat(refused.out()).isEmpty();
      assertThat(refused.err().lines())
          .containsExactly(
              "sluice: --hots is not a flag; did you mean --host?",
              "sluice: sluice.yaml line 2: prot is not a setting; did you mean port?",
              "sluice: SLUICE_DRAIN must be a duration such as 500ms, 30s or 5m, was 'x'",
              "sluice: slots (sluice.yaml line 1) must be a number from 1 to 10000, was 'many'",
              "sluice: master-key must be given in profile production: credentials depend on it",
              "sluice: jwt-secret must have 32 or more bytes for [HS256], this one has 5",
              "sluice: tls-cert: " + pem + " is not PEM that can be read",
              "sluice: data folder " + pem.resolve("data") + " cannot be used: " + pem
                  + " is not a folder",
              "sluice: cannot listen on 127.0.0.1 port " + port
                  + ": Address already in use; give another --port," + " or stop process "
                  + ProcessHandle.current().pid() + " (java), which has it",
              "sluice server --help shows what there is");
    }
  }

  @Test
  void portThatNobodyNamed_isNotComplainedAbout_whereAFlagIsMisspelt() {
    String data = folder.resolve("data").toString();
    assertThat(run(Map.of(), "server", "--data", data, "--host", "192.0.2.1", "--prot", "80")
            .err()
            .lines())
        .containsExactly(
            "sluice: --prot is not a flag; did you mean --port?",
            "sluice server --help shows what there is");
    assertThat(run(Map.of(), "server", "--data", data, "--host", "192.0.2.1").err())
        .contains("cannot listen on 192.0.2.1 port 7070");
  }
}
