package io.sluice.crashtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The clock of the database alone, which can be stepped: a library (libfaketime) that is loaded into
 * PostgreSQL adds to the time what a file says. The machine's own clock is never touched.
 */
final class DatabaseClock {
  private static final Path LIBRARIES = Path.of("/usr/lib");
  private static final String LIBRARY = "faketime/libfaketime.so.1";

  private final Path file;
  private final Path library;

  private DatabaseClock(Path file, Path library) {
    this.file = file;
    this.library = library;
  }

  /** A clock that goes right until it is stepped, kept in a folder. Installs the library where it is missing. */
  static DatabaseClock in(Path folder) {
    Path library = find().orElseGet(DatabaseClock::install);
    DatabaseClock clock = new DatabaseClock(folder.resolve("database-clock"), library);
    clock.step(Duration.ZERO);
    return clock;
  }

  /** Sets the clock to so much before or after the right time. */
  void step(Duration offset) {
    try {
      Path next = file.resolveSibling(file.getFileName() + ".next");
      Files.createDirectories(file.getParent());
      Files.writeString(next, String.format("%+d%n", offset.toSeconds()));
      Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** What the server's environment must hold. */
  Map<String, String> environment() {
    return Map.of(
        "LD_PRELOAD", library.toString(),
        "FAKETIME_TIMESTAMP_FILE", file.toString(),
        "FAKETIME_NO_CACHE", "1",
        "FAKETIME_DONT_FAKE_MONOTONIC", "1",
        "NO_FAKE_STAT", "1");
  }

  private static Optional<Path> find() {
    try (Stream<Path> folders = Files.list(LIBRARIES)) {
      return folders
          .map(folder -> folder.resolve(LIBRARY))
          .filter(Files::isReadable)
          .findFirst();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path install() {
    String printed;
    try {
      Process process = new ProcessBuilder("apt-get", "install", "--yes", "libfaketime")
          .redirectErrorStream(true)
          .start();
      printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      process.onExit().join();
    } catch (IOException e) {
      printed = e.toString();
    }
    String why = printed;
    return find()
        .orElseThrow(() -> new IllegalStateException(
            "the database's clock cannot be stepped: install libfaketime (Debian: apt-get install"
                + " libfaketime), or leave it out with -Dsluice.without=CLOCK_STEP. Installing it here"
                + " failed: " + why));
  }
}
