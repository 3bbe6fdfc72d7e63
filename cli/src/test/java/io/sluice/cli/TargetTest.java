package io.sluice.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Which server is asked, and with what key: seen from that server. */
class TargetTest {
  @TempDir
  Path folder;

  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final Map<String, String> variables = new HashMap<>();
  private HttpServer server;
  private String address;

  @Command
  private static final class Options {
    @Mixin
    Target target = new Target();
  }

  @BeforeEach
  void listen() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      asked.add(
          exchange.getRequestURI() + " " + exchange.getRequestHeaders().getFirst("Authorization")
              + " " + exchange.getRequestHeaders().getFirst("Sluice-Tenant"));
      exchange.sendResponseHeaders(200, -1);
      exchange.close();
    });
    server.start();
    address = "http://127.0.0.1:" + server.getAddress().getPort();
    variables.put("SLUICE_DATA", folder.toString());
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private String ask(String... words) {
    CommandLine line = new CommandLine(new Options()).setExpandAtFiles(false);
    line.parseArgs(words);
    Options options = line.getCommand();
    options.target.open(new Desk("", Screen.NONE, variables).console).get("/v1/x");
    return asked.getLast();
  }

  @Test
  void flagsGoBeforeVariables_theseBeforeTheFolder() throws IOException {
    Files.writeString(folder.resolve(Console.ADDRESS_FILE), address + "\n");
    Files.writeString(folder.resolve("admin.key"), "of-folder\n");
    assertThat(ask()).isEqualTo("/v1/x Bearer of-folder null");
    variables.put("SLUICE_KEY", "of-variable");
    variables.put("SLUICE_TENANT", "acme");
    assertThat(ask()).isEqualTo("/v1/x Bearer of-variable acme");
    assertThat(ask("--key", "of-flag", "--tenant", "beta")).isEqualTo("/v1/x Bearer of-flag beta");
    variables.put("SLUICE_SERVER", "http://127.0.0.1:1");
    assertThatThrownBy(this::ask).hasMessageContaining("http://127.0.0.1:1 (from SLUICE_SERVER)");
    assertThat(ask("--server", address + "/")).contains("of-variable");
    assertThat(ask("--server", address.substring(7))).contains("of-variable");
  }

  @Test
  void key_mayStandInAFile() throws IOException {
    Path file = Files.writeString(folder.resolve("k"), "in-file\n");
    assertThat(ask("--server", address, "--key", "@" + file)).contains("Bearer in-file");
    assertThatThrownBy(() -> ask("--server", address, "--key", "@" + folder.resolve("none")))
        .hasMessageEndingWith("none, which cannot be read");
    variables.put("SLUICE_KEY_FILE", file.toString());
    assertThat(ask("--server", address)).contains("Bearer in-file");
    variables.put("SLUICE_KEY", "of-variable");
    assertThat(ask("--server", address)).contains("Bearer of-variable");
  }

  @Test
  void keyOfTheFolder_isShownToItsServerAlone() throws IOException {
    Files.writeString(folder.resolve("admin.key"), "of-folder\n");
    assertThat(ask("--server", address)).isEqualTo("/v1/x null null");
    Files.writeString(folder.resolve(Console.ADDRESS_FILE), "http://127.0.0.1:1\n");
    assertThat(ask("--server", address)).isEqualTo("/v1/x null null");
    variables.put("SLUICE_SERVER", address);
    assertThat(ask("--data", folder.toString())).isEqualTo("/v1/x null null");
    assertThat(ask("--server", address, "--data", folder.toString()))
        .isEqualTo("/v1/x Bearer of-folder null");
    Files.writeString(
        folder.resolve(Console.ADDRESS_FILE), address.replace("127.0.0.1", "localhost"));
    assertThat(ask("--server", address)).isEqualTo("/v1/x Bearer of-folder null");
  }

  @Test
  void namedFolderWithoutAServer_isToldAsSuch_andNobodyIsAsked() throws IOException {
    Files.writeString(folder.resolve("admin.key"), "of-folder\n");
    for (String[] words : new String[][] {{}, {"--data", folder.toString()}, {"--key", "k"}}) {
      assertThatThrownBy(() -> ask(words))
          .isInstanceOfSatisfying(
              CommandException.class, e -> assertThat(e.exit()).isEqualTo(Exit.UNREACHABLE))
          .hasMessage("no server runs on " + folder + "; start it with 'sluice server --data "
              + folder + "', or give --server");
    }
    assertThat(asked).isEmpty();
  }

  private static Path sharedFolder() {
    return Path.of("sluice-data");
  }

  private void leaveInCurrentFolder(String where, String modes) throws IOException {
    Path here = Files.createDirectories(sharedFolder());
    Files.setPosixFilePermissions(here, PosixFilePermissions.fromString(modes));
    Path file = Files.writeString(here.resolve(Console.ADDRESS_FILE), where + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  @AfterEach
  void tidy() throws IOException {
    Files.deleteIfExists(sharedFolder().resolve(Console.ADDRESS_FILE));
    Files.deleteIfExists(sharedFolder().resolve("admin.key"));
    Files.deleteIfExists(sharedFolder());
  }

  @Test
  void keyOfTheUser_isNotSentWhereAFolderThatNobodyNamedPoints() throws IOException {
    variables.remove("SLUICE_DATA");
    variables.put("SLUICE_KEY", "of-variable");
    // Others may write here: the address may be theirs.
    leaveInCurrentFolder(address, "rwxrwxrwx");
    assertThatThrownBy(this::ask)
        .isInstanceOfSatisfying(
            CommandException.class, e -> assertThat(e.exit()).isEqualTo(Exit.MISUSED))
        .hasMessageContaining("the key of SLUICE_KEY is not sent to " + address)
        .hasMessageContaining("give --server " + address);
    assertThatThrownBy(() -> ask("--key", "of-flag")).hasMessageContaining("--key is not sent");
    Files.writeString(sharedFolder().resolve("admin.key"), "of-folder");
    variables.remove("SLUICE_KEY");
    assertThatThrownBy(this::ask).hasMessageContaining("is not sent");
    variables.put("SLUICE_KEY", "of-variable");
    // Ours, but it points away from this machine.
    for (String away : new String[] {"http://192.0.2.1:7070", "http://127.example.com:7070"}) {
      leaveInCurrentFolder(away, "rwx------");
      assertThatThrownBy(this::ask).hasMessageContaining("is not sent to " + away);
    }
    assertThat(asked).isEmpty();

    leaveInCurrentFolder(address, "rwx------");
    assertThat(ask()).contains("Bearer of-variable");
    leaveInCurrentFolder(address, "rwxrwxrwx");
    assertThat(ask("--server", address)).contains("Bearer of-variable");
    assertThat(ask("--data", sharedFolder().toString())).contains("Bearer of-variable");
  }

  @Test
  void keyByHttpToAnotherMachine_isWarnedOf() {
    Desk desk = new Desk("", Screen.NONE, variables);
    for (String server : new String[] {address, "https://example.com", "http://example.com"}) {
      Options options = new Options();
      new CommandLine(options).parseArgs("--server", server, "--key", "k");
      options.target.open(desk.console);
    }
    assertThat(desk.err().lines())
        .containsExactly("sluice: warning: the key of --key goes to http://example.com"
            + " unencrypted; use https");
  }

  @Test
  void wrongAddress_isMisuse() {
    assertThatThrownBy(() -> ask("--server", "ftp://x"))
        .hasMessage("--server must be an address such as http://127.0.0.1:7070, was 'ftp://x'");
    assertThatThrownBy(() -> ask("--server", "http://a b"))
        .hasMessageStartingWith("--server must be an address");
  }
}
