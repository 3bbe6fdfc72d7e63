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
  private final @Nullable Long postmaster;
  private final @Nullable Long owner;

  /** One that runs already, and the process that has it, if that lives. */
  private Embedded(Config.Postgres address, long postmaster, @Nullable Long owner) {
    this.address = address;
    this.started = null;
    this.postmaster = postmaster;
    this.owner = owner;
  }

  private Embedded(EmbeddedPostgres started, String schema) {
    this.address =
        new Config.Postgres(started.jdbcUrl(), started.user(), started.password(), schema, false);
    this.started = started;
    this.postmaster = null;
    this.owner = null;
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
      Long owner =
          pid(lines(folder.resolve("owner.pid"))).filter(Embedded::isAlive).orElse(null);
      String url = "jdbc:postgresql://127.0.0.1:" + lines.get(PORT_LINE).strip() + "/postgres";
      return new Embedded(
          new Config.Postgres(url, "sluice", password, schema, false), postmaster.get(), owner);
    }
    return new Embedded(EmbeddedPostgres.builder(folder).start(), schema);
  }

  Config.Postgres address() {
    return address;
  }

  /** The process that runs though its server is dead, if that is so. */
  Optional<Long> orphan() {
    return owner == null ? Optional.ofNullable(postmaster) : Optional.empty();
  }

  /** The process that has the data folder, if another one than this does. */
  Optional<Long> owner() {
    return Optional.ofNullable(owner);
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
