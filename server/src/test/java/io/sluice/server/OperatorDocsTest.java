package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * The pages for operators, run: every block of shell commands, in order, in a folder of its own, with the
 * real program on the path. A page joins by its name in the list.
 */
@Tag("slow")
class OperatorDocsTest {
  private static final Path DOCS = Path.of("").toAbsolutePath().getParent().resolve("docs");
  private static final List<String> PAGES = List.of("install.md", "configure.md");
  /** Those that start many servers, one after the other. */
  private static final List<String> LONG_PAGES =
      List.of("operations.md", "backup.md", "limits.md", "workflows.md");

  @TempDir
  static Path folder;

  private static EmbeddedPostgres postgres;

  @BeforeAll
  static void start() {
    postgres = EmbeddedPostgres.builder(folder.resolve("postgres")).start();
  }

  @AfterAll
  static void stop() {
    postgres.close();
  }

  @TestFactory
  Stream<DynamicTest> page_doesWhatItSays() {
    return PAGES.stream().map(name -> DynamicTest.dynamicTest(name, () -> run(name)));
  }

  @TestFactory
  @Tag("long")
  Stream<DynamicTest> longPage_doesWhatItSays() {
    return LONG_PAGES.stream().map(name -> DynamicTest.dynamicTest(name, () -> run(name)));
  }

  private static void run(String name) throws Exception {
    Path home = Files.createDirectories(folder.resolve(name));
    ShellPage page = ShellPage.of(DOCS.resolve(name), Standins.with(postgres));
    assertThat(page.blocks()).as("blocks of %s", name).isNotEmpty();
    ShellSession.run(page, home, postgres);
  }

  @TestFactory
  Stream<DynamicTest> everyPageOfDocs_thatHasCommandsOfSluice_isKnown() throws IOException {
    // Pages that call the program in blocks of shell must be run, or be named here with the test
    // that does.
    List<String> elsewhere = List.of("rest.md", "tour.md", "server.md", "cli.md");
    try (Stream<Path> files = Files.list(DOCS)) {
      return files.filter(file -> file.toString().endsWith(".md")).toList().stream()
          .map(file -> DynamicTest.dynamicTest(file.getFileName().toString(), () -> {
            boolean calls = ShellPage.of(file, Standins.none()).blocks().stream()
                .anyMatch(block -> block.kind().equals("sh") && block.text().contains("sluice "));
            String page = file.getFileName().toString();
            assertThat(!calls
                    || PAGES.contains(page)
                    || LONG_PAGES.contains(page)
                    || elsewhere.contains(page))
                .isTrue();
          }));
    }
  }
}
