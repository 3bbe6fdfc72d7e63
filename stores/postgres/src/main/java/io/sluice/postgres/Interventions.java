package io.sluice.postgres;

import io.sluice.CancelResult;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.SluiceException;
import io.sluice.WaitingJobs;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** What ends or revives a job from outside: a person's hand, or the job's own expiry. */
final class Interventions {
  private static final int TRIES = 100;

  /** The answer to a cancel, whether the job was running, whether another may run instead, and what went on. */
  record Cancelled(CancelResult result, boolean ran, boolean freed, Woken woken) {
    private static Cancelled not(CancelResult result) {
      return new Cancelled(result, false, false, Woken.NOTHING);
    }
  }

  /** Jobs that were ended, and what went on because of it. */
  record Ended(List<UUID> jobs, Woken woken) {}

  private record Met(
      boolean ended, boolean ran, boolean freed, @Nullable JobState state, Woken woken) {}

  private final Database database;

  Interventions(Database database) {
    this.database = database;
  }

  /** Looks again when the job changed its table between the looks of one statement. */
  Cancelled cancel(UUID job, String reason, Duration keepFor) {
    for (int tries = 0; tries < TRIES; tries++) {
      Met met = database.run(connection -> tryCancel(connection, job, reason, keepFor));
      if (met.ended()) {
        return new Cancelled(CancelResult.CANCELLED, met.ran(), met.freed(), met.woken());
      }
      JobState state = met.state();
      if (state == null) {
        return Cancelled.not(CancelResult.NOT_FOUND);
      }
      if (state.isFinal()) {
        return Cancelled.not(CancelResult.ALREADY_FINISHED);
      }
    }
    throw new SluiceException(
        ErrorCode.PERSISTENCE_FAILURE, "job " + job + " moves too fast to be cancelled");
  }

  private Met tryCancel(Connection connection, UUID job, String reason, Duration keepFor)
      throws SQLException {
    try (Call call = database.call(connection, "cancel")) {
      return call.set("id", job)
          .set("reason", reason)
          .set("keep", Times.micros(keepFor))
          .one(row -> {
            int state = row.getInt("state");
            boolean none = row.wasNull();
            return new Met(
                row.getInt("ended") > 0,
                row.getInt("ran") > 0,
                row.getBoolean("freed"),
                none ? null : States.state(state),
                Woken.read(row));
          });
    }
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

  boolean replay(UUID job) {
    return matches("replay", job);
  }

  boolean delete(UUID job) {
    return matches("delete", job);
  }

  Ended expire(int max, Duration keepFor) {
    return database.run(connection -> {
      Endings expired = new Endings();
      try (Call call = database.call(connection, "expire")) {
        call.set("max", max).set("keep", Times.micros(keepFor)).each(expired.ofStatement());
      }
      return expired.ended();
    });
  }

  private boolean matches(String query, UUID job) {
    return database.run(connection -> matches(database, connection, query, job));
  }

  /** True when a statement took effect on the job. */
  static boolean matches(Database database, Connection connection, String query, UUID job)
      throws SQLException {
    try (Call call = database.call(connection, query)) {
      return !call.set("id", job).list(row -> row.getObject("id")).isEmpty();
    }
  }
}
