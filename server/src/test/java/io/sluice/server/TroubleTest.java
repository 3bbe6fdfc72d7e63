package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sluice.server.config.Commands;
import io.sluice.server.config.Config;
import io.sluice.testkit.TestPorts;
import io.sluice.testkit.TestPorts.ClosedPort;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts that cannot be, each with the one line that its owner reads. */
class TroubleTest {
  @TempDir
  Path folder;

  private String trouble(String... flags) {
    List<String> arguments = new ArrayList<>();
    if (!List.of(flags).contains("--data")) {
      arguments.addAll(List.of("--data", folder.resolve("data").toString()));
    }
    arguments.addAll(List.of(flags));
    Config config = Commands.config(arguments, Map.of());
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8);
    Throwable refused = catchThrowable(() -> {
      try (Launch launch = new Launch(config, out, false, new SplittableRandom(1))) {
        launch.start();
      }
    });
    assertThat(refused).isNotNull();
    assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContain("ready");
    String words = Trouble.words(refused);
    assertThat(words).doesNotContain("\n", "PERSISTENCE", "BAD_CONFIG").hasSizeLessThan(400);
    return words;
  }

  private static String[] database(String schema, String... more) {
    ServerSettings.DatabaseSettings database = TestServer.database(schema);
    List<String> flags = new ArrayList<>(List.of(
        "--database-url", database.url(),
        "--database-user", String.valueOf(database.user()),
        "--database-password", String.valueOf(database.password()),
        "--database-schema", schema));
    flags.addAll(List.of(more));
    return flags.toArray(String[]::new);
  }

  @Test
  void portInUse() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      assertThat(trouble(database("trouble_port", "--port", port)))
          .startsWith("cannot listen on 127.0.0.1 port " + port + ": Address already in use");
    }
  }

  @Test
  void hostOfAnotherMachine() {
    assertThat(trouble(database("trouble_port", "--host", "192.0.2.1", "--port", "0")))
        .startsWith("cannot listen on 192.0.2.1");
  }

  @Test
  void databaseUnreachable() {
    try (ClosedPort closed = TestPorts.closed()) {
      assertThat(trouble("--database-url", "jdbc:postgresql://127.0.0.1:" + closed.number() + "/d"))
          .startsWith("the database cannot be reached: ")
          .contains("refused");
    }
    assertThat(folder.resolve("data")).isEmptyDirectory();
  }

  @Test
  void databaseOnAnUnknownHost() {
    assertThat(trouble("--database-url", "jdbc:postgresql://nowhere.invalid/d"))
        .isEqualTo("the database cannot be reached: unknown host nowhere.invalid");
  }

  @Test
  void wrongPassword() {
    String[] flags = database("trouble_password");
    flags[5] = "not-the-password";
    assertThat(trouble(flags))
        .startsWith("the database cannot be reached: ")
        .contains("password authentication failed")
        .doesNotContain("not-the-password");
  }

  @Test
  void newerSchema() throws SQLException {
    TestServer.start("trouble_newer").close();
    ServerSettings.DatabaseSettings database = TestServer.database("trouble_newer");
    try (Connection connection =
            DriverManager.getConnection(database.url(), database.user(), database.password());
        var statement = connection.createStatement()) {
      statement.execute("update trouble_newer.migration set version = version + 100");
    }
    assertThat(trouble(database("trouble_newer"))).contains("newer than this library knows");
  }

  @Test
  void folderThatCannotBe() throws IOException {
    Path file = Files.writeString(folder.resolve("file"), "");
    assertThat(trouble("--data", file.resolve("data").toString()))
        .startsWith("data folder " + file.resolve("data") + " cannot be used: it cannot be made");
  }

  @Test
  void certificateThatIsNone() throws IOException {
    Path file = Files.writeString(folder.resolve("cert.pem"), "no certificate");
    assertThat(trouble(
            database("trouble_tls", "--tls-cert", file.toString(), "--tls-key", file.toString())))
        .startsWith("tls-");
  }
}
