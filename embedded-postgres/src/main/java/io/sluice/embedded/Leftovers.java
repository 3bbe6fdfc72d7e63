package io.sluice.embedded;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a dead owner left behind: a postmaster that still runs, backends without their postmaster, or
 * only its pid file. To be called by the new owner, so that whatever runs here has none.
 */
final class Leftovers {
  private static final Logger log = LoggerFactory.getLogger(Leftovers.class);
  private static final Path PROC = Path.of("/proc");

  private final Path data;
  private final Binaries binaries;

  Leftovers(Path data, Binaries binaries) {
    this.data = data;
    this.binaries = binaries;
  }

  /** Stops what still runs on the data and removes the pid file that would bar the next start. */
  void clear() throws IOException {
    Optional<Long> postmaster = pidInFile();
    if (postmaster.isPresent() && isPostgresHere(postmaster.get())) {
      log.warn("stopping PostgreSQL {} in {}: its owner is dead", postmaster.get(), data);
      stop(postmaster.get());
    }
    // Backends of a killed postmaster leave by themselves as soon as they notice.
    if (!Await.until(Duration.ofSeconds(20), () -> running().isEmpty())) {
      throw new EmbeddedPostgresException(
          "processes " + running() + " still use " + data + " and do not end: stop them first");
    }
    Files.deleteIfExists(data.resolve("postmaster.pid"));
  }

  private void stop(long pid) {
    Postmaster.signal(binaries, "INT", pid);
    if (!Await.until(Duration.ofSeconds(20), () -> !isPostgresHere(pid))) {
      Postmaster.signal(binaries, "QUIT", pid);
    }
  }

  private Optional<Long> pidInFile() throws IOException {
    Path file = data.resolve("postmaster.pid");
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    List<String> lines = Files.readAllLines(file);
    boolean readable = !lines.isEmpty() && lines.getFirst().strip().matches("\\d{1,10}");
    return readable ? Optional.of(Long.valueOf(lines.getFirst().strip())) : Optional.empty();
  }

  private List<Long> running() {
    return ProcessHandle.allProcesses()
        .map(ProcessHandle::pid)
        .filter(this::isPostgresHere)
        .toList();
  }

  private static boolean isOf(Path process, Path data) {
    try {
      return Files.exists(data)
          && Files.getAttribute(process, "unix:uid").equals(Files.getAttribute(data, "unix:uid"));
    } catch (IOException e) {
      return false; // gone
    }
  }

  /** A pid may have gone to a stranger: only a postgres that works in this very folder counts. */
  private boolean isPostgresHere(long pid) {
    if (Files.isDirectory(PROC)) {
      Path process = PROC.resolve(Long.toString(pid));
      try {
        return Files.readString(process.resolve("comm")).strip().equals("postgres")
            && Files.readSymbolicLink(process.resolve("cwd")).equals(data);
      } catch (AccessDeniedException e) {
        // Where it works is hidden from us: better stop for a stranger than start beside it.
        return isOf(process, data);
      } catch (IOException e) {
        return false; // gone
      }
    }
    return ProcessHandle.of(pid)
        .flatMap(handle -> handle.info().commandLine())
        .filter(line -> line.contains("postgres") && line.contains(data.toString()))
        .isPresent();
  }
}
