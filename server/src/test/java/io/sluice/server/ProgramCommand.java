package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The command line that runs {@code sluice} in a process of its own. The classes of a server are archived once, by
 * a server that is started for nothing else: with them, a process takes half the CPU time to start.
 */
public final class ProgramCommand {
  /** For a process of seconds: what the second compiler and a parallel collector win they first take. */
  static final List<String> BRIEF = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  private static final Path FOLDER = Path.of("target", "program").toAbsolutePath();
  private static final Path ARCHIVE = FOLDER.resolve("server.jsa");
  private static final String CLASS_PATH = classPath();

  static {
    train();
  }

  private ProgramCommand() {}

  static List<String> line(List<String> options, String... arguments) {
    return withArchive(CLASS_PATH, options, arguments);
  }

  /** The same with one more jar on the class path, after all others: the archive wants them first. */
  public static List<String> withJar(Path jar, List<String> options, String... arguments) {
    return withArchive(CLASS_PATH + File.pathSeparator + jar, options, arguments);
  }

  private static List<String> withArchive(
      String classPath, List<String> options, String... arguments) {
    List<String> all = new ArrayList<>(options);
    all.add("-XX:SharedArchiveFile=" + ARCHIVE);
    return withoutArchive(classPath, all, arguments);
  }

  private static List<String> withoutArchive(
      String classPath, List<String> options, String... arguments) {
    List<String> line = new ArrayList<>();
    line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    line.add("-Xlog:disable");
    line.addAll(options);
    line.addAll(List.of("-cp", classPath, Main.class.getName()));
    line.addAll(List.of(arguments));
    return line;
  }

  /** The class path of this test run without the tests, its folders packed: they cannot be archived. */
  private static String classPath() {
    List<String> jars = new ArrayList<>();
    try {
      Files.createDirectories(FOLDER);
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
        Path classes = Path.of(entry);
        if (!Files.isDirectory(classes)) {
          jars.add(entry);
        } else if (!classes.endsWith("test-classes")) {
          Path jar = FOLDER.resolve("classes-" + jars.size() + ".jar");
          pack(classes, jar);
          jars.add(jar.toString());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return String.join(File.pathSeparator, jars);
  }

  private static void pack(Path classes, Path jar) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(file);
        Stream<Path> files = Files.walk(classes)) {
      for (Path source : files.filter(Files::isRegularFile).sorted().toList()) {
        zip.putNextEntry(new ZipEntry(classes.relativize(source).toString()));
        Files.copy(source, zip);
        zip.closeEntry();
      }
    }
  }

  /** Starts a server and stops it, which writes the archive at its end. */
  private static void train() {
    ServerSettings.DatabaseSettings database = TestServer.database(TestServer.newSchema());
    List<String> options = new ArrayList<>(BRIEF);
    options.add("-XX:ArchiveClassesAtExit=" + ARCHIVE);
    try {
      Files.deleteIfExists(ARCHIVE);
      Path data = Files.createTempDirectory("sluice-program");
      String[] arguments = {
        "server",
        "--port",
        "0",
        "--data",
        data.toString(),
        "--database-url",
        database.url(),
        "--database-schema",
        database.schema()
      };
      Map<String, String> variables = Map.of(
          "SLUICE_DATABASE_USER", String.valueOf(database.user()),
          "SLUICE_DATABASE_PASSWORD", String.valueOf(database.password()));
      try (ServerProcess server =
          ServerProcess.of(data, withoutArchive(CLASS_PATH, options, arguments), variables)) {
        assertThat(server.awaitReady().stop()).as(server.err()).isZero();
      }
      assertThat(ARCHIVE).isNotEmptyFile();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
