package io.sluice.crashtest;

import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.postgres.PostgresStore;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.random.RandomGenerator;

/**
 * Runs one failover from its start to the evidence: workers are busy, the standby is cut off, the primary goes on
 * for a moment and dies, and the standby takes its place.
 */
final class FailoverDirector {
  static final Duration LEASE = Duration.ofSeconds(5);

  private static final int WORKERS = 3;
  private static final String WHO = "director";
  private static final UUID NOBODY = new UUID(0, 0);
  private static final Duration STATEMENT = Duration.ofSeconds(1);
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final Duration EACH = Duration.ofMillis(40);
  /** Jobs that wait when the standby is cut off are claimed on both servers. */
  private static final int BACKLOG = 150;

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  /** Work comes in for so long after the failover. */
  private static final Duration AFTERWARDS = LEASE.multipliedBy(2);

  private final long seed;
  private final Path folder;
  private volatile boolean enough;

  FailoverDirector(long seed, Path folder) {
    this.seed = seed;
    this.folder = folder;
  }

  Failover run() throws InterruptedException, SQLException {
    Director.clear(folder);
    Path files = folder.resolve("primary");
    try (Server primary = LimitedQueues.in(Server.start(files));
        Replica replica = Replica.of(primary, files, folder.resolve("standby"));
        Proxy proxy = Proxy.to(primary.port());
        Journal journal = Journal.open(folder, WHO);
        Workers workers = new Workers(primary, WORKERS, folder, journal, seed, LEASE)) {
      workers.awaitReady();
      String url = proxy.url(primary.url());
      Thread producer = Thread.ofPlatform().start(() -> produce(url, journal));
      RandomGenerator random = new Random(seed);
      Clock.rest(Duration.ofMillis(2_000 + random.nextInt(1_000)));
      List<Row> had = replica.cutOff();
      long cutOff = Clock.now();
      Clock.rest(Duration.ofMillis(200 + random.nextInt(1_000)));
      long death = Clock.now();
      // Nobody waits until the last of its processes is gone.
      Thread killer = Thread.ofPlatform().start(primary::kill);
      replica.promote();
      proxy.lead(replica.server().port());
      proxy.cut();
      long promoted = Clock.now();
      workers.lead(replica.server().port());
      Clock.rest(AFTERWARDS);
      enough = true;
      producer.join();
      killer.join();
      List<Row> rows = atTheEnd(replica.server());
      List<String> names = workers.names();
      workers.close();
      Failover.Moments moments = new Failover.Moments(cutOff, death, promoted);
      return new Failover(Journal.read(folder, ""), had, rows, names, moments, LEASE);
    }
  }

  private static List<Row> atTheEnd(Server server) throws InterruptedException, SQLException {
    try (Connection connection = server.connect()) {
      Clock.awaits(PATIENCE, () -> isOver(connection));
      return Rows.read(connection);
    }
  }

  private static boolean isOver(Connection connection) {
    try {
      return OpenJobs.count(connection, NOBODY) == 0;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Enqueues at a steady pace, and repeats with the same key what was not answered. */
  private void produce(String url, Journal journal) {
    PostgresStore store =
        PostgresStore.builder().url(url).statementTimeout(STATEMENT).build();
    try (Sluice sluice =
        Sluice.builder(store).withoutWork().withoutDuties().build().start()) {
      for (long seq = 0; !enough; seq++) {
        Work work = work(seq);
        while (!isTaken(sluice, work, journal)) {
          Clock.rest(PAUSE);
        }
        if (seq > BACKLOG) {
          Clock.rest(EACH);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Most are short; some last until others have the job on the new server, but end within their lease. */
  private Work work(long seq) {
    SplittableRandom random = new SplittableRandom(seed * 1_000_003 + seq);
    int millis = random.nextInt(10) < 7 ? 50 + random.nextInt(200) : 1_000 + random.nextInt(3_000);
    return Work.of(seq, Work.SLOW, millis, 0);
  }

  private static boolean isTaken(Sluice sluice, Work work, Journal journal) {
    journal.write(new Entry.Invoke(Clock.now(), WHO, work.key(), work));
    try {
      UUID job = sluice.enqueue(work.request()).id();
      journal.write(new Entry.Ok(Clock.now(), WHO, work.key(), job));
      return true;
    } catch (SluiceException e) {
      journal.write(new Entry.Unknown(Clock.now(), WHO, work.key()));
      return false;
    }
  }
}
