package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import io.sluice.server.Terminal.Ran;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/**
 * The page {@code docs/tour.md}, command by command, against a real server and a real receiver. With
 * {@code -Dsluice.rewrite=true} it writes what it sees into the page.
 */
class TourTest {
  private static final Path PAGE = Path.of("").toAbsolutePath().getParent().resolve("docs/tour.md");
  private static final String PORT_OF_PAGE = "127.0.0.1:38000";
  private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

  @TempDir
  Path folder;

  private TestServer server;
  private HttpServer files;

  @Test
  void everyCommandOfThePage_printsWhatIsThere() throws IOException {
    String page = Files.readString(PAGE);
    try (TestServer started = TestServer.startAllowing("127.0.0.0/8")) {
      server = started;
      String played = new Transcript().played(page, this::run);
      if (Boolean.getBoolean("sluice.rewrite")) {
        Files.writeString(PAGE, played);
      }
      assertThat(Transcript.masked(played)).isEqualTo(Transcript.masked(page));
      assertThat(played).contains("COMPLETED", "DEAD", "no dead letters");
    } finally {
      if (files != null) {
        files.stop(0);
      }
    }
  }

  private String run(String command) {
    try {
      Eventually.await("all jobs are over", this::isQuiet);
      if (command.startsWith("jwebserver ")) {
        return serveFiles();
      }
      return command.startsWith("sluice ") ? sluice(command) : shell(command);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isQuiet() {
    JsonNode stats = server.admin().get("/v1/stats").body();
    return stats.path("depth").asLong() + stats.path("running").asLong() == 0;
  }

  private String serveFiles() {
    InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    files = SimpleFileServer.createFileServer(
        address, folder.toAbsolutePath().resolve("site"), SimpleFileServer.OutputLevel.NONE);
    files.start();
    return "";
  }

  private String sluice(String command) {
    String here = files == null ? "" : "127.0.0.1:" + files.getAddress().getPort();
    Matcher words = WORD.matcher(command.substring("sluice ".length()).replace(PORT_OF_PAGE, here));
    List<String> all = words
        .results()
        .map(word -> word.group(1) == null ? word.group(2) : word.group(1))
        .toList();
    Ran ran = Terminal.of(server).run(all.toArray(String[]::new));
    return (ran.err() + ran.out()).replace(here.isEmpty() ? "\0" : here, PORT_OF_PAGE);
  }

  private String shell(String command) throws IOException {
    Process process = new ProcessBuilder("bash", "-c", command)
        .directory(folder.toFile())
        .redirectErrorStream(true)
        .start();
    return new String(
        process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
  }
}
