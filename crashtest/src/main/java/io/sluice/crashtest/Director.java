package io.sluice.crashtest;

import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
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
    try (Server server = LimitedQueues.in(Server.start(folder.resolve("postgres")));
        Journal journal = Journal.open(folder, "director");
        Crew crew = new Crew(server, size, seed, folder);
        Watchman watchman = new Watchman(server, journal, size.lease())) {
      Mischief mischief = new Mischief(server, crew, journal);
      Thread progress =
          Thread.ofPlatform().daemon().start(() -> tell(begin, schedule, crew, watchman, mischief));
      mischief.carryOut(schedule);
      awaitEnd(crew, watchman);
      progress.interrupt();
      crew.close();
      LimitedQueues.count(server, journal);
      try (Connection connection = server.connect()) {
        List<Row> rows = Rows.read(connection);
        List<Entry> history = Journal.read(folder, "");
        Duration took = Duration.ofNanos(Clock.now() - begin);
        return new Evidence(history, rows, size.lease(), took);
      }
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
