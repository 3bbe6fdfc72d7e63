package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Screen;
import io.sluice.server.Terminal.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many jobs from a file: all of them, or exactly as many as is said. */
class CliBulkTest {
  private static TestServer server;
  private static Terminal terminal;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
    terminal = Terminal.of(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String lines(int count, String more) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> "{\"payload\":" + i + more.replace("#", Integer.toString(i)) + "}\n")
        .collect(Collectors.joining());
  }

  private String file(String lines) throws IOException {
    return Files.writeString(folder.resolve("jobs.ndjson"), lines).toString();
  }

  private static long jobs(String type) {
    return server
        .admin()
        .get("/v1/queues/default/metrics")
        .body()
        .at("/byType/" + type + "/PENDING")
        .asLong();
  }

  @Test
  void file_isEnqueuedInBatches_withOptionsForWhatItLeavesOut() throws IOException {
    String file = file(lines(1203, ",\"idempotencyKey\":\"whole-#\""));
    Ran ran = terminal.run("enqueue", "--from", file, "--type", "whole");
    assertThat(ran).isEqualTo(new Ran(0, "1,203 jobs enqueued\n", ""));
    assertThat(jobs("whole")).isEqualTo(1203);
    assertThat(terminal
            .run("enqueue", "--from", file, "--type", "whole", "--json")
            .json()
            .toString())
        .isEqualTo("{\"enqueued\":0,\"duplicates\":1203}");
  }

  @Test
  void terminal_showsABar_andEndsWithoutIt() throws IOException {
    Ran ran = terminal
        .with(new Screen(true, true, 80))
        .run("enqueue", "--from", file(lines(40, "")), "--type", "bar", "--batch", "10");
    assertThat(ran.out()).isEqualTo("40 jobs enqueued\n");
    assertThat(ran.err()).contains("[#######.......................] 10 jobs", "] 30 jobs");
  }

  @Test
  void lineThatIsNoJson_isFoundBeforeAnythingIsSent() throws IOException {
    Ran ran =
        terminal.run("enqueue", "--from", file(lines(900, "") + "{oops\n"), "--type", "early");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .startsWith("sluice: line 901 is not valid JSON at character 2")
        .endsWith("sluice: nothing was enqueued\n");
    assertThat(jobs("early")).isZero();
  }

  @Test
  void lineThatTheServerRefuses_isNamed_withWhatIsIn_andHowToGoOn() throws IOException {
    String wrong = lines(25, "") + "{\"payload\":26,\"priority\":99}\n";
    Ran ran = terminal.run(
        "enqueue", "--from", file(wrong + lines(4, "")), "--type", "refused", "--batch", "10");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err()).isEqualTo("""
        sluice: line 26: priority must be critical, high, normal, low or a number from 0 to 20
        sluice: 20 jobs enqueued: all up to line 20, none after it
        sluice: mend it and go on with --skip 20
        """);
    assertThat(jobs("refused")).isEqualTo(20);

    String mended = file(lines(25, "") + "{\"payload\":26}\n" + lines(4, ""));
    assertThat(terminal
            .run("enqueue", "--from", mended, "--type", "refused", "--batch", "10", "--skip", "20")
            .out())
        .isEqualTo("10 jobs enqueued\n");
    assertThat(jobs("refused")).isEqualTo(30);
  }

  @Test
  void standardInput_isTakenAsItComes_upToAWrongLine() {
    Ran ran = terminal.type(
        lines(7, "") + "[1]\n", "enqueue", "--from", "-", "--type", "piped", "--batch", "5");
    assertThat(ran.code()).isEqualTo(1);
    assertThat(ran.err())
        .contains("line 8 must be a JSON object, was [1]", "5 jobs enqueued: all up to line 5");
    assertThat(jobs("piped")).isEqualTo(5);
  }

  @Test
  void fullQueue_stopsIt_withTheCodeForLater() {
    terminal.run("queues", "create", "small", "--max-size", "12");
    Ran ran = terminal
        .with(Patient.untilAsked())
        .type(
            lines(20, ""),
            "enqueue",
            "--from",
            "-",
            "--type",
            "t",
            "--queue",
            "small",
            "--batch",
            "10");
    assertThat(ran.code()).isEqualTo(6);
    assertThat(ran.err()).contains("10 jobs enqueued: all up to line 10", "--skip 10");
  }

  @Test
  void noServer_leavesNothingDone() throws IOException {
    Terminal nowhere = new Terminal(Map.of("SLUICE_SERVER", "http://127.0.0.1:1"), Screen.NONE);
    Ran ran = nowhere.run("enqueue", "--from", file(lines(1, "")), "--type", "t");
    assertThat(ran.code()).isEqualTo(3);
    assertThat(ran.err())
        .startsWith("sluice: nothing listens at http://127.0.0.1:1 (from SLUICE_SERVER)\n")
        .endsWith("sluice: nothing was enqueued\n");
  }

  /** A pace at which waiting takes no time and never ends a command. */
  private static final class Patient {
    static io.sluice.cli.Pace untilAsked() {
      return new io.sluice.cli.Pace() {
        @Override
        public java.time.Instant instant() {
          return java.time.Instant.EPOCH;
        }

        @Override
        public boolean pause(java.time.Duration time) {
          return true;
        }
      };
    }
  }
}
