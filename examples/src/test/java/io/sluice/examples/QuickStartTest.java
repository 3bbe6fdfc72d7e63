package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The quick start of the README is the one in the examples, and does what it says. */
@Tag("slow")
class QuickStartTest {
  private static final Path SOURCE =
      Path.of("src/main/java/io/sluice/examples/QuickStart.java").toAbsolutePath();
  private static final Path README = Path.of("../README.md").toAbsolutePath();

  @TempDir
  Path folder;

  @Test
  void readme_showsTheSource() throws IOException {
    String source = Files.readString(SOURCE).replace("package io.sluice.examples;\n\n", "");
    assertThat(Files.readString(README)).contains("```java\n" + source + "```\n");
  }

  @Test
  void quickStart_isUnderTwentyLinesOfCode() throws IOException {
    List<String> code = Files.readAllLines(SOURCE).stream()
        .dropWhile(line -> !line.startsWith("public class"))
        .filter(line -> !line.isBlank())
        .toList();
    assertThat(code).hasSizeLessThan(20);
  }

  @Test
  @Timeout(120)
  void quickStart_runsTheJobOnce_andKnowsItsKeyTheNextTime() throws Exception {
    assertThat(run("sent 'Hi' to ada@example.com")).contains("known before: false");
    assertThat(run("known before: true")).doesNotContain("sent 'Hi'");
  }

  /** Runs it as a user would until a line has this text, presses Enter, and returns what it printed. */
  private String run(String awaited) throws Exception {
    Process process = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            QuickStart.class.getName())
        .directory(folder.toFile())
        .redirectError(folder.resolve("log").toFile())
        .start();
    StringBuilder printed = new StringBuilder();
    try (BufferedReader out = process.inputReader();
        Writer in = process.outputWriter()) {
      for (String line = out.readLine(); line != null; line = out.readLine()) {
        printed.append(line).append('\n');
        if (line.contains(awaited)) {
          break;
        }
      }
      in.write("\n");
      in.flush();
      out.transferTo(Writer.nullWriter());
    } finally {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    }
    assertThat(process.exitValue())
        .describedAs(Files.readString(folder.resolve("log")))
        .isZero();
    return printed.toString();
  }
}
