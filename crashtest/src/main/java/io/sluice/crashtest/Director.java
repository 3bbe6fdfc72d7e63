package io.sluice.crashtest;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs one crash test from its start to the evidence: the history and what the tables hold. */
final class Director {
  private static final Duration PROGRESS = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Size size;
  private final long seed;
  private final Path folder;
  private final PrintStream out;

  Director(Size size, long seed, Path folder, PrintStream out) {
    this.size = size;
    this.seed = seed;
    this.folder = folder;
    this.out = out;
  }

  Evidence run() throws InterruptedException, SQLException {
    clear(folder);
    Schedule schedule = Schedule.of(seed, size);
    long begin = Clock.now();
    Optional<DatabaseClock> clock = size.count(FaultKind.CLOCK_STEP) > 0
        ? Optional.of(DatabaseClock.in(folder))
        : Optional.empty();
    try (Server server = prepare(clock);
        Journal journal = Journal.open(folder, "director");
        Crew crew = new Crew(server, size, seed, folder);
        Watchman watchman = new Watchman(server, journal, size.lease())) {
      Mischief mischief = new Mischief(server, crew, journal, clock);
      Thread progress =
          Thread.ofPlatform().daemon().start(() -> tell(begin, schedule, crew, watchman, mischief));
      carryOut(schedule, mischief, server);
      awaitEnd(crew, watchman);
      progress.interrupt();
      crew.close();
      LimitedQueues.count(server, journal);
      BatchLook.write(server, journal);
      try (Connection connection = server.connect()) {
        List<Row> rows = Rows.read(connection);
        List<Entry> history = Journal.read(folder, "");
        Duration took = Duration.ofNanos(Clock.now() - begin);
        return new Evidence(history, rows, size.lease(), took);
      }
    }
  }

  private Server prepare(Optional<DatabaseClock> clock) throws SQLException {
    Map<String, String> environment = clock.map(DatabaseClock::environment).orElse(Map.of());
    Server server =
        Server.start(folder.resolve("postgres"), new Server.Options(Map.of(), environment));
    if (size.has(Condition.REPEATABLE_READ)) {
      try (Connection connection = server.connect();
          Statement statement = connection.createStatement()) {
        statement.execute(
            "alter database postgres set default_transaction_isolation = 'repeatable read'");
      }
    }
    return LimitedQueues.in(server);
  }

  private void carryOut(Schedule schedule, Mischief mischief, Server server)
      throws InterruptedException {
    if (!size.has(Condition.PURGE)) {
      mischief.carryOut(schedule);
      return;
    }
    try (Purges purges = new Purges(server, seed)) {
      mischief.carryOut(schedule);
      purges.end();
      out.printf("crash %s seed %d: %d old jobs were purged%n", size.name(), seed, purges.gone());
    }
  }

  /** Waits until all is enqueued and over, or nothing moves any more: the checker will say what. */
  private static void awaitEnd(Crew crew, Watchman watchman) throws InterruptedException {
    long over = -1;
    while (watchman.counts().over() != over) {
      over = watchman.counts().over();
      boolean done = Clock.awaits(
          PATIENCE, () -> crew.producerHasFinished() && watchman.counts().open() == 0);
      if (done) {
        // The look at the tables may be older than the producer's end.
        Clock.rest(Duration.ofSeconds(2));
        if (watchman.counts().open() == 0) {
          return;
        }
        over = -1;
      }
    }
  }

  private void tell(
      long begin, Schedule schedule, Crew crew, Watchman watchman, Mischief mischief) {
    try {
      while (true) {
        Clock.rest(PROGRESS);
        Watchman.Counts counts = watchman.counts();
        out.printf(
            "crash %s seed %d: %3d s, faults %d/%d, jobs over %d/%d, waiting %d, running %d,"
                + " processes %d%n",
            size.name(),
            seed,
            Duration.ofNanos(Clock.now() - begin).toSeconds(),
            mischief.count(),
            schedule.steps().size(),
            counts.over(),
            size.jobs(),
            counts.waiting(),
            counts.running(),
            crew.alive());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Leaves an empty folder there. */
  static void clear(Path folder) {
    try {
      if (Files.exists(folder)) {
        try (Stream<Path> files = Files.walk(folder)) {
          for (Path path : files.sorted((a, b) -> b.compareTo(a)).toList()) {
            Files.delete(path);
          }
        }
      }
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
