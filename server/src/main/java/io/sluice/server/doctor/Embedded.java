package io.sluice.server.doctor;

import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.server.config.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL of a data folder: the one that runs in it, whoever started that, or else one that is
 * started for the time of the look.
 */
final class Embedded implements AutoCloseable {
  private static final int PORT_LINE = 3;

  private final Config.Postgres address;
  private final @Nullable EmbeddedPostgres started;
  private final @Nullable Long orphan;

  private Embedded(
      Config.Postgres address, @Nullable EmbeddedPostgres started, @Nullable Long orphan) {
    this.address = address;
    this.started = started;
    this.orphan = orphan;
  }

  /** True when there is something to look at. */
  static boolean isMade(Path data) {
    return Files.exists(folder(data).resolve("pgdata"));
  }

  private static Path folder(Path data) {
    return data.resolve("postgres");
  }

  static Embedded open(Path data, String schema) throws IOException {
    Path folder = folder(data);
    List<String> lines = lines(folder.resolve("pgdata").resolve("postmaster.pid"));
    Optional<Long> postmaster = pid(lines).filter(Embedded::isPostgres);
    if (postmaster.isPresent() && lines.size() > PORT_LINE) {
      String password = Files.readString(folder.resolve("password")).strip();
      boolean owned =
          pid(lines(folder.resolve("owner.pid"))).filter(Embedded::isAlive).isPresent();
      String url = "jdbc:postgresql://127.0.0.1:" + lines.get(PORT_LINE).strip() + "/postgres";
      return new Embedded(
          new Config.Postgres(url, "sluice", password, schema, false),
          null,
          owned ? null : postmaster.get());
    }
    EmbeddedPostgres started = EmbeddedPostgres.builder(folder).start();
    return new Embedded(
        new Config.Postgres(started.jdbcUrl(), started.user(), started.password(), schema, false),
        started,
        null);
  }

  Config.Postgres address() {
    return address;
  }

  /** The process that runs though its server is dead, if that is so. */
  Optional<Long> orphan() {
    return Optional.ofNullable(orphan);
  }

  private static List<String> lines(Path file) throws IOException {
    return Files.exists(file) ? Files.readAllLines(file) : List.of();
  }

  private static Optional<Long> pid(List<String> lines) {
    return lines.stream()
        .findFirst()
        .map(String::strip)
        .filter(text -> text.matches("\\d{1,10}"))
        .map(Long::valueOf);
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isPresent();
  }

  /** A number may have gone to another program since. */
  private static boolean isPostgres(long pid) {
    return ProcessHandle.of(pid)
        .flatMap(process -> process.info().command())
        .filter(command -> command.endsWith("postgres"))
        .isPresent();
  }

  @Override
  public void close() {
    if (started != null) {
      started.close();
    }
  }
}
