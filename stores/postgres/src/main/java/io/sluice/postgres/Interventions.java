package io.sluice.postgres;

import io.sluice.CancelResult;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.SluiceException;
import io.sluice.Uuid7;
import io.sluice.WaitingJobs;
import io.sluice.store.CancelledJob;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What ends or revives a job from outside: a person's hand, or the job's own expiry. */
final class Interventions {
  private static final int TRIES = 100;

  /**
   * Jobs that were cancelled, those among them that ran, whether others may run instead, and what went on
   * because of it.
   */
  record Cancelled(List<CancelledJob> jobs, List<UUID> ran, boolean freed, Woken woken) {
    static final Cancelled NONE = new Cancelled(List.of(), List.of(), false, Woken.NOTHING);
  }

  /** Jobs that were ended, and what went on because of it. */
  record Ended(List<UUID> jobs, Woken woken) {}

  private final Database database;

  Interventions(Database database) {
    this.database = database;
  }

  /** Cancels those of these jobs that are not over; kept as their queues say unless it is said how long. */
  Cancelled cancel(Collection<UUID> jobs, String reason, @Nullable Duration keepFor) {
    List<UUID> ids = inOrder(jobs);
    return database.run(connection -> {
      Cancellation cancellation = new Cancellation();
      try (Call call = database.call(connection, "cancel")) {
        call.set("ids", ids)
            .set("reason", reason)
            .setOrNull("keep", keepFor == null ? null : (Long) Times.micros(keepFor))
            .each(cancellation::read);
      }
      return cancellation.cancelled();
    });
  }

  /** What is noted of jobs while they are cancelled. */
  private static final class Cancellation {
    private final List<CancelledJob> jobs = new ArrayList<>();
    private final List<UUID> ran = new ArrayList<>();
    private boolean freed;
    private Woken woken = Woken.NOTHING;

    void read(ResultSet row) throws SQLException {
      UUID id = row.getObject("id", UUID.class);
      if (jobs.isEmpty()) {
        woken = Woken.read(row);
      }
      jobs.add(new CancelledJob(id, Catalog.laneOf(row), row.getInt("attempt")));
      freed |= row.getBoolean("freed");
      if (row.getBoolean("ran")) {
        ran.add(id);
      }
    }

    Cancelled cancelled() {
      return jobs.isEmpty() ? Cancelled.NONE : new Cancelled(jobs, ran, freed, woken);
    }
  }

  /** What became of one job that was to be cancelled. */
  record Single(CancelResult result, Cancelled cancelled) {}

  /** Looks again when the job changed its table between the looks of one statement. */
  Single cancel(UUID job, String reason, Duration keepFor) {
    for (int tries = 0; tries < TRIES; tries++) {
      Cancelled cancelled = cancel(List.of(job), reason, keepFor);
      if (!cancelled.jobs().isEmpty()) {
        return new Single(CancelResult.CANCELLED, cancelled);
      }
      JobState state = stateOf(job);
      if (state == null || state.isFinal()) {
        CancelResult why = state == null ? CancelResult.NOT_FOUND : CancelResult.ALREADY_FINISHED;
        return new Single(why, Cancelled.NONE);
      }
    }
    throw new SluiceException(
        ErrorCode.PERSISTENCE_FAILURE, "job " + job + " moves too fast to be cancelled");
  }

  private @Nullable JobState stateOf(UUID job) {
    List<JobState> found = database.run(connection -> {
      try (Call call = database.call(connection, "state-of")) {
        return call.set("id", job).list(row -> States.state(row.getInt("state")));
      }
    });
    return found.isEmpty() ? null : found.getFirst();
  }

  Ended cancelWaiting(WaitingJobs which, String reason, Duration keepFor, int max) {
    return database.run(connection -> {
      Integer[] lanes = lanes(connection, which);
      Endings ids = new Endings();
      for (String query : List.of("cancel-ready", "cancel-later")) {
        if (lanes.length > 0 && ids.jobs.size() < max) {
          try (Call call = database.call(connection, query)) {
            call.set("lanes", "int4", lanes)
                .set("reason", reason)
                .set("keep", Times.micros(keepFor))
                .set("max", max - ids.jobs.size())
                .each(ids.ofStatement());
          }
        }
      }
      return ids.ended();
    });
  }

  /** What is noted of jobs that are ended while the statements run. */
  private static final class Endings {
    private final List<UUID> jobs = new ArrayList<>();
    private Woken woken = Woken.NOTHING;

    /** The first row of a statement says what went on. */
    Call.Visitor ofStatement() {
      AtomicBoolean read = new AtomicBoolean();
      return row -> {
        jobs.add(row.getObject("id", UUID.class));
        if (read.compareAndSet(false, true)) {
          woken = woken.and(Woken.read(row));
        }
      };
    }

    Ended ended() {
      return new Ended(jobs, woken);
    }
  }

  private Integer[] lanes(Connection connection, WaitingJobs which) throws SQLException {
    try (Call call = database.call(connection, "lanes-of")) {
      return call.set("tenant", which.tenant())
          .set("queue", which.queue())
          .set("type", (String) null)
          .set("url_group", which.urlGroup())
          .set("limit_key", (String) null)
          .list(row -> row.getInt("id"))
          .toArray(Integer[]::new);
    }
  }

  List<UUID> replay(Collection<UUID> jobs) {
    List<UUID> ids = inOrder(jobs);
    return database.run(connection -> matching(database, connection, "replay", ids));
  }

  boolean hurry(UUID job) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "hurry")) {
        return !call.set("id", job).list(row -> row.getObject("id")).isEmpty();
      }
    });
  }

  List<UUID> delete(Collection<UUID> jobs) {
    List<UUID> ids = inOrder(jobs);
    return database.transact(connection -> {
      List<UUID> finished = matching(database, connection, "hold-outcomes", ids);
      return finished.isEmpty()
          ? List.of()
          : matching(database, connection, "delete", inOrder(finished));
    });
  }

  /** In the order in which every statement takes its locks. */
  private static List<UUID> inOrder(Collection<UUID> jobs) {
    return jobs.stream().distinct().sorted(Uuid7.ORDER).toList();
  }

  Ended expire(int max) {
    return database.run(connection -> {
      Endings expired = new Endings();
      try (Call call = database.call(connection, "expire")) {
        call.set("max", max).each(expired.ofStatement());
      }
      return expired.ended();
    });
  }

  /** Those of the jobs that a statement took effect on. */
  static List<UUID> matching(
      Database database, Connection connection, String query, List<UUID> jobs) throws SQLException {
    try (Call call = database.call(connection, query)) {
      return call.set("ids", jobs).list(row -> row.getObject("id", UUID.class));
    }
  }
}
