package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code sluice demo} as a process of its own: within seconds there is something of everything. */
@Tag("slow")
class DemoTest {
  private static final Pattern STATUS = Pattern.compile(
      "(\\d+) completed, \\d+ running, \\d+ waiting, (\\d+) for later, \\d+ to be retried, (\\d+) dead");
  private static final Pattern DATA = Pattern.compile("(?m)^ +data +(\\S+), removed at the end$");

  @TempDir
  Path folder;

  private ServerProcess demo(String... more) {
    List<String> options = new ArrayList<>(ProgramCommand.BRIEF);
    options.add("-Djava.io.tmpdir=" + folder.toAbsolutePath());
    String[] words = new String[more.length + 3];
    words[0] = "demo";
    words[1] = "--port";
    words[2] = "0";
    System.arraycopy(more, 0, words, 3, more.length);
    return ServerProcess.run(folder, options, words);
  }

  /** True when jobs are done, one waits for its time, and one is dead. */
  private static boolean moves(String out) {
    return STATUS
        .matcher(out)
        .results()
        .anyMatch(status -> Stream.of(1, 2, 3).map(status::group).noneMatch("0"::equals));
  }

  @Test
  void everythingMoves_andASignalEndsIt_andNothingIsLeft() {
    try (ServerProcess demo = demo("--rate", "20").awaitReady()) {
      Eventually.await(
          "jobs completed, for later and dead",
          java.time.Duration.ofSeconds(60),
          () -> moves(demo.out()));
      Matcher data = DATA.matcher(demo.out());
      assertThat(data.find()).as(demo.out()).isTrue();
      Path made = Path.of(data.group(1));
      assertThat(made).isDirectory();
      ProcessHandle postgres = demo.postgres();
      assertThat(demo.stop()).as(demo.err()).isZero();
      assertThat(made).doesNotExist();
      Eventually.await("its database is gone", () -> !postgres.isAlive());
    }
  }

  @Test
  void givenTimeAndFolder_areKept() throws Exception {
    Path data = folder.resolve("kept");
    try (ServerProcess demo = demo("--for", "1s", "--data", data.toString())) {
      assertThat(demo.exit()).as(demo.err()).isZero();
      assertThat(demo.out())
          .contains(
              "data        " + data + "\n",
              "export SLUICE_KEY=" + Files.readString(data.resolve("admin.key")));
      assertThat(data.resolve("postgres/pgdata")).isDirectory();
    }
  }
}
