package io.sluice.crashtest;

import io.sluice.AfterPolicy;
import io.sluice.JobRequest;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.postgres.PostgresStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A caller who enqueues in a transaction of his own and then takes his time. Meanwhile it holds, by turns, the
 * idempotency key of a job that the producer is about to enqueue, a job that runs and that its own waits for, or
 * the count of a capped queue.
 */
final class OpenTransactions {
  private static final String CALLER = "caller";
  private static final int KINDS = 3;
  /** One that will end while the transaction is open, but not before it has enqueued. */
  private static final String RUNNING = """
      select r.id from sluice.running r join sluice.lane l on l.id = r.lane where l.type = 'capped'
      order by r.claimed_at desc limit 1
      """;

  private static final Duration SEARCH = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Server server;
  private final Crew crew;
  private final Journal journal;

  OpenTransactions(Server server, Crew crew, Journal journal) {
    this.server = server;
    this.crew = crew;
    this.journal = journal;
  }

  /** Holds one open for so long; every other one is committed in the end. */
  void hold(int number, Duration time) throws InterruptedException {
    try (Sluice sluice = Sluice.builder(PostgresStore.connect(server.url()))
            .withoutWork()
            .withoutDuties()
            .build()
            .start();
        Connection connection = server.connect()) {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      Work work = work(number);
      UUID predecessor = number % KINDS == 1 ? running(connection) : null;
      pin(work, predecessor);
      journal.write(new Entry.Invoke(Clock.now(), CALLER, work.key(), work));
      UUID job = sluice.enqueue(connection, request(work, predecessor)).id();
      Clock.rest(time);
      if (number % 2 == 0) {
        connection.commit();
        journal.write(new Entry.Ok(Clock.now(), CALLER, work.key(), job));
      } else {
        connection.rollback();
      }
    } catch (SQLException | SluiceException e) {
      // The database went down: the transaction has ended, and what became of it shows in the
      // tables.
    }
  }

  private Work work(int number) {
    long seq = Work.OF_CALLERS + number;
    return switch (number % KINDS) {
      case 0 -> crew.workThatIsNext();
      case 1 -> Work.of(seq, Work.PLAIN, 10, 0);
      default -> Work.of(seq, Work.CAPPED, 100, 0);
    };
  }

  private void pin(Work work, @Nullable UUID predecessor) {
    journal.write(new Entry.Pinned(Clock.now(), work.key()));
    if (work.type().equals(Work.CAPPED)) {
      journal.write(new Entry.Pinned(Clock.now(), Work.CAPPED));
    }
    if (predecessor != null) {
      journal.write(new Entry.Pinned(Clock.now(), predecessor.toString()));
    }
  }

  private static JobRequest request(Work work, @Nullable UUID predecessor) {
    return predecessor == null
        ? work.request()
        : work.request().after(predecessor).afterPolicy(AfterPolicy.RUN);
  }

  private static @Nullable UUID running(Connection connection)
      throws SQLException, InterruptedException {
    long end = Clock.now() + SEARCH.toNanos();
    while (Clock.now() - end < 0) {
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery(RUNNING)) {
        if (result.next()) {
          return result.getObject(1, UUID.class);
        }
      }
      Clock.rest(PAUSE);
    }
    return null;
  }
}
