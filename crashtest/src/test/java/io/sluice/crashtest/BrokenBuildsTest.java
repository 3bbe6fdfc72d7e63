package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.ThrowingConsumer;

/**
 * The patches of {@code crashtest/broken-builds} still fit what they break, and name tests that are
 * there. Whether these notice is seen by running that command; a patch that no longer applies is
 * seen here, without git.
 */
class BrokenBuildsTest {
  private static final Path ROOT = Path.of("..");
  private static final Path PATCHES = Path.of("broken-builds.d");

  /** One place that a patch changes: the lines it expects there, and those it leaves. */
  private record Hunk(Path file, List<String> before, List<String> after) {}

  private static List<Path> patches() throws IOException {
    try (Stream<Path> files = Files.list(PATCHES)) {
      return files.sorted().toList();
    }
  }

  @Test
  void fencingHeartbeatsAndGroupCommit_areBroken() throws IOException {
    assertThat(patches()).hasSizeGreaterThanOrEqualTo(3);
  }

  @TestFactory
  Stream<DynamicTest> patch_fitsOnce() throws IOException {
    return forEach(BrokenBuildsTest::assertFits);
  }

  @TestFactory
  Stream<DynamicTest> patch_namesWhatIsFound_andByWhom() throws IOException {
    return forEach(BrokenBuildsTest::assertNames);
  }

  private static Stream<DynamicTest> forEach(ThrowingConsumer<Path> check) throws IOException {
    return DynamicTest.stream(patches().stream(), path -> path.getFileName().toString(), check);
  }

  private static void assertFits(Path patch) throws IOException {
    List<Hunk> hunks = hunks(Files.readAllLines(patch));
    assertThat(hunks).isNotEmpty();
    for (Hunk hunk : hunks) {
      String text = "\n" + Files.readString(ROOT.resolve(hunk.file));
      String before = "\n" + String.join("\n", hunk.before) + "\n";
      assertThat(text.split(Pattern.quote(before), -1))
          .as("places in %s with these lines:%s", hunk.file, before)
          .hasSize(2);
      assertThat(hunk.after).isNotEqualTo(hunk.before);
    }
  }

  private static void assertNames(Path patch) throws IOException {
    List<String> lines = Files.readAllLines(patch);
    assertThat(field(lines, "What is broken")).isPresent();
    Optional<Finding.Kind> found = field(lines, "CrashTest finds").map(Finding.Kind::valueOf);
    Optional<String> other = field(lines, "Also found by").map(name -> name + ".java");
    assertThat(found.isPresent() || other.isPresent()).isTrue();
    if (other.isPresent()) {
      try (Stream<Path> files = Files.find(ROOT, 20, (path, a) -> path.endsWith(other.get()))) {
        assertThat(files.toList()).isNotEmpty();
      }
    }
  }

  private static Optional<String> field(List<String> lines, String name) {
    return lines.stream()
        .filter(line -> line.startsWith(name + ": "))
        .map(line -> line.substring(name.length() + 2))
        .findFirst();
  }

  private static List<Hunk> hunks(List<String> lines) {
    List<Hunk> hunks = new ArrayList<>();
    Path file = null;
    for (String line : lines) {
      if (line.startsWith("+++ b/")) {
        file = Path.of(line.substring("+++ b/".length()));
      } else if (line.startsWith("@@") && file != null) {
        hunks.add(new Hunk(file, new ArrayList<>(), new ArrayList<>()));
      } else if (!hunks.isEmpty() && !line.startsWith("diff ") && !line.startsWith("---")) {
        Hunk hunk = hunks.getLast();
        char mark = line.isEmpty() ? ' ' : line.charAt(0);
        String text = line.isEmpty() ? "" : line.substring(1);
        if (mark != '+') {
          hunk.before.add(text);
        }
        if (mark != '-') {
          hunk.after.add(text);
        }
      }
    }
    return hunks;
  }
}
