package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.server.ShellPage.Block;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One shell that gets the blocks of a page one after the other, so that variables and what was started
 * in the background last from one to the next. The first block that fails ends it.
 */
final class ShellSession {
  private static final int PATIENCE_SECONDS = 120;
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private ShellSession() {}

  static void run(ShellPage page, Path home, EmbeddedPostgres postgres) throws Exception {
    Path work = Files.createDirectories(home.resolve("work"));
    sql(page, postgres);
    StringBuilder script = new StringBuilder(
        "set -eo pipefail\nset -m\ntrap 'kill $(jobs -p) 2>/dev/null || true; wait || true' EXIT\n");
    List<Block> blocks =
        page.blocks().stream().filter(b -> b.kind().equals("sh")).toList();
    for (Block block : blocks) {
      Path file =
          Files.writeString(home.resolve("block-" + block.line() + ".sh"), block.text() + "\n");
      script.append(
          "at=%d; source %s >%s 2>&1%n".formatted(block.line(), file, printed(home, block)));
    }
    script.append("at=end\n");
    script.insert(0, "trap 'echo $at >" + home.resolve("at") + "' ERR\n");
    int code = bash(page, home, work, script.toString());
    assertThat(code).as(() -> told(home, blocks)).isZero();
    for (Block block : blocks) {
      check(block, printed(home, block));
    }
  }

  private static Path printed(Path home, Block block) {
    return home.resolve("block-" + block.line() + ".out");
  }

  private static String told(Path home, List<Block> blocks) {
    return blocks.stream()
        .map(block -> {
          try {
            Path out = printed(home, block);
            return "--- line " + block.line() + "\n" + block.text() + "\n>>>\n"
                + (Files.exists(out) ? Files.readString(out) : "(was not reached)\n");
          } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
          }
        })
        .collect(Collectors.joining());
  }

  private static int bash(ShellPage page, Path home, Path work, String script) throws Exception {
    Path bin = Files.createDirectories(home.resolve("shim"));
    program(bin.resolve("sluice"));
    Path file = Files.writeString(home.resolve("page.sh"), script);
    ProcessBuilder builder = new ProcessBuilder("bash", file.toString())
        .directory(work.toFile())
        .redirectErrorStream(true)
        .redirectOutput(home.resolve("shell.out").toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("SLUICE_"));
    builder.environment().put("PATH", bin + ":" + System.getenv("PATH"));
    builder.environment().put("HOME", home.toString());
    builder.environment().put("SLUICE_PORT", page.standins().in("7070"));
    // Unpacked once for all tests, wherever the home is.
    builder
        .environment()
        .put(
            "XDG_CACHE_HOME", Path.of(System.getProperty("user.home"), ".cache").toString());
    Process process = builder.start();
    if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
      return -1;
    }
    return process.exitValue();
  }

  /** The real program, from the classes under test. */
  private static void program(Path file) throws IOException {
    Files.writeString(file, """
        #!/bin/bash
        exec %s "$@" 2> >(grep -v -e '^SLF4J' -e '^WARNING:' >&2)
        """.formatted(ProgramCommand.line(ProgramCommand.BRIEF).stream()
        .map(word -> "'" + word + "'")
        .collect(Collectors.joining(" "))));
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  /** A page's statements are for its reader's database, and so come first. */
  private static void sql(ShellPage page, EmbeddedPostgres postgres) throws SQLException {
    List<String> statements = page.blocks().stream()
        .filter(block -> block.kind().equals("sql"))
        .flatMap(block -> Arrays.stream(block.text().split(";\\s*(\\n|$)", -1)))
        .filter(sql -> !sql.isBlank())
        .toList();
    try (Connection connection = DriverManager.getConnection(postgres.urlWithPassword());
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Compares line by line; {@code …} stands for anything, and a line of it alone for any lines. */
  private static void check(Block block, Path out) throws IOException {
    String wanted = block.prints();
    if (wanted != null) {
      // What filters the errors of a program may end after it.
      long end = System.nanoTime() + LATE_NANOS;
      while (!Files.readString(out).matches(pattern(wanted)) && System.nanoTime() - end < 0) {
        LockSupport.parkNanos(LATE_NANOS / 1_000);
      }
      assertThat(Files.readString(out))
          .as("what line %d prints", block.line())
          .matches(pattern(wanted));
    }
  }

  private static String pattern(String wanted) {
    return wanted
        .lines()
        .map(line -> line.equals("…")
            ? "(?:.*\\n)*"
            : Arrays.stream(line.split("…", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining(".*"))
                + "\\n")
        .collect(Collectors.joining());
  }
}
