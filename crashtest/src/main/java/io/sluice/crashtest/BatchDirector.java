package io.sluice.crashtest;

import io.sluice.BatchRecord;
import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.Sluice;
import io.sluice.postgres.PostgresStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Runs one batch with a callback while workers are killed and cut off, from its start to the evidence. */
final class BatchDirector {
  /** How large: so many jobs, mostly shorter than so many milliseconds, by so many workers. */
  record Extent(int jobs, int millis, int workers) {}

  private static final String WHO = "director";
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final UUID NOBODY = new UUID(0, 0);

  private final Extent extent;
  private final long seed;
  private final Path folder;

  BatchDirector(Extent extent, long seed, Path folder) {
    this.extent = extent;
    this.seed = seed;
    this.folder = folder;
  }

  Evidence run() throws InterruptedException, SQLException {
    Director.clear(folder);
    try (Server server = Server.start(folder.resolve("postgres"));
        Journal journal = Journal.open(folder, WHO);
        Workers workers = new Workers(server, extent.workers(), folder, journal, seed, LEASE)) {
      workers.awaitReady();
      try (Watchman watchman = new Watchman(server, journal, LEASE);
          Connection connection = server.connect()) {
        long begin = Clock.now();
        BatchStarted batch = enqueue(server, journal);
        harm(workers, connection, batch.callback());
        boolean over = Clock.awaits(PATIENCE, () -> left(connection, NOBODY) == 0);
        Duration took = Duration.ofNanos(Clock.now() - begin);
        if (over) {
          // Whoever would run it a second time does so by then.
          Clock.rest(LEASE);
        }
        workers.close();
        tally(server, journal, batch.id(), left(connection, NOBODY));
        return new Evidence(Journal.read(folder, ""), Rows.read(connection), LEASE, took);
      }
    }
  }

  /** Takes the batch by an engine that is gone afterwards: only workers that may die are to end it. */
  private BatchStarted enqueue(Server server, Journal journal) {
    List<Work> works = LongStream.range(0, extent.jobs())
        .mapToObj(seq -> Work.ofBatch(seed, seq, extent.millis()))
        .toList();
    Work callback = Work.of(extent.jobs(), Work.CALLBACK, 0, 0);
    BatchRequest request = BatchRequest.named("crash").callback(callback.withoutKey());
    works.forEach(work -> request.add(work.withoutKey()));
    works.forEach(work -> invoke(journal, work));
    invoke(journal, callback);
    try (Sluice sluice = Sluice.builder(PostgresStore.connect(server.url()))
        .withoutWork()
        .build()
        .start()) {
      BatchStarted started = sluice.enqueue(request);
      for (int i = 0; i < works.size(); i++) {
        acknowledge(journal, works.get(i), started.jobs().get(i).id());
      }
      acknowledge(journal, callback, started.callback());
      return started;
    }
  }

  private static void invoke(Journal journal, Work work) {
    journal.write(new Entry.Invoke(Clock.now(), WHO, work.key(), work));
  }

  private static void acknowledge(Journal journal, Work work, @Nullable UUID job) {
    if (job == null) {
      throw new IllegalStateException(work + " got no id");
    }
    journal.write(new Entry.Ok(Clock.now(), WHO, work.key(), job));
  }

  /** About once a second until all jobs of the batch are over, and once when few of them are left. */
  private void harm(Workers workers, Connection connection, @Nullable UUID callback)
      throws InterruptedException {
    RandomGenerator random = new Random(seed);
    UUID butNot = callback == null ? NOBODY : callback;
    long few = 1L + random.nextInt(40);
    while (left(connection, butNot) > 0) {
      long now = few;
      Duration pause = Duration.ofMillis(500 + random.nextInt(1_000));
      boolean nearlyOver = Clock.awaits(pause, () -> left(connection, butNot) <= now);
      if (nearlyOver) {
        few = 0;
      }
      if (left(connection, butNot) > 0) {
        harm(workers, nearlyOver, random);
      }
    }
  }

  private static void harm(Workers workers, boolean gravely, RandomGenerator random)
      throws InterruptedException {
    if (gravely || random.nextInt(3) > 0) {
      workers.kill(random);
    } else {
      workers.cut(random);
    }
  }

  private static long left(Connection connection, UUID butNot) {
    try {
      return OpenJobs.count(connection, butNot);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What the store says of the batch at the end, asked without an engine. */
  private static void tally(Server server, Journal journal, UUID batch, long open) {
    try (PostgresStore store = PostgresStore.connect(server.url())) {
      store.open();
      BatchRecord seen = store.links().find(batch).orElseThrow();
      journal.write(
          new Entry.Tally(Clock.now(), WHO, seen.isOver() ? open : 1 + open, seen.counts()));
    }
  }
}
