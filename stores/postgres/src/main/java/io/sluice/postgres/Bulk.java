package io.sluice.postgres;

import io.sluice.JobState;
import io.sluice.Predecessor;
import io.sluice.When;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Many jobs at once, by COPY in its binary form; their queues have no cap. */
final class Bulk {
  private record Moment(Instant now, int shelf) {}

  private final Database database;

  Bulk(Database database) {
    this.database = database;
  }

  static boolean isPossible(Connection connection) throws SQLException {
    return connection.isWrapperFor(PGConnection.class);
  }

  /** Writes the jobs and returns which of them are not due yet. */
  Set<UUID> copy(Connection connection, List<Draft> drafts) throws SQLException {
    Moment moment;
    try (Call call = database.call(connection, "moment")) {
      moment = call.one(row -> new Moment(Times.read(row, "now"), row.getInt("shelf")));
    }
    List<Draft> soon = drafts.stream().filter(d -> !isLate(d, moment)).toList();
    List<Draft> late = drafts.stream().filter(d -> isLate(d, moment)).toList();
    PGConnection target = connection.unwrap(PGConnection.class);
    bodies(target, drafts, moment);
    ready(target, soon, moment);
    later(target, late, moment);
    links(target, drafts, moment);
    expiries(connection, drafts, moment);
    refuseStale(connection, drafts);
    Set<UUID> ids = new HashSet<>();
    late.forEach(draft -> ids.add(draft.id()));
    return ids;
  }

  private static boolean isLate(Draft draft, Moment moment) {
    return draft.ties().waits() || runAt(draft, moment).isAfter(moment.now());
  }

  private static Instant runAt(Draft draft, Moment moment) {
    return switch (draft.job().when()) {
      case When.Now now -> moment.now();
      case When.In in -> Times.bounded(moment.now().plus(in.delay()));
      case When.At at -> Times.bounded(at.time());
    };
  }

  private void bodies(PGConnection target, List<Draft> drafts, Moment moment) throws SQLException {
    try (BinaryCopy copy = new BinaryCopy(target, query("copy-job"))) {
      for (Draft draft : drafts) {
        copy.row(14);
        copy.int4(moment.shelf());
        copy.uuid(draft.id());
        copy.int4(draft.lane());
        copy.int2(draft.priority());
        copy.time(moment.now());
        copy.int8(draft.timeoutMillis());
        copy.time(draft.job().spec().expiresAt());
        copy.jsonb(draft.metadata());
        copy.text(draft.retry());
        copy.text(draft.job().spec().payload());
        copy.int4OrNull(draft.cost());
        copy.uuidOrNull(draft.ties().batch());
        copy.text(draft.after());
        copy.time(plannedFor(draft, moment));
      }
      copy.finish();
    }
  }

  /** When a job that waits for others may run by its own time; null when it may by now. */
  private static @Nullable Instant plannedFor(Draft draft, Moment moment) {
    Instant runAt = runAt(draft, moment);
    return draft.ties().waits() && runAt.isAfter(moment.now()) ? runAt : null;
  }

  private void ready(PGConnection target, List<Draft> drafts, Moment moment) throws SQLException {
    if (drafts.isEmpty()) {
      return;
    }
    try (BinaryCopy copy = new BinaryCopy(target, query("copy-ready"))) {
      for (Draft draft : drafts) {
        copy.row(10);
        copy.int4(draft.lane());
        copy.int2(draft.priority());
        copy.uuid(draft.id());
        copy.int4(moment.shelf());
        copy.int4(0);
        copy.int4(0);
        copy.int4(0);
        copy.int2((short) 0);
        copy.int2((short) 0);
        copy.uuidOrNull(draft.ties().batch());
      }
      copy.finish();
    }
  }

  private void later(PGConnection target, List<Draft> drafts, Moment moment) throws SQLException {
    if (drafts.isEmpty()) {
      return;
    }
    try (BinaryCopy copy = new BinaryCopy(target, query("copy-later"))) {
      for (Draft draft : drafts) {
        copy.row(16);
        copy.uuid(draft.id());
        copy.int4(draft.lane());
        if (draft.ties().waits()) {
          copy.never();
        } else {
          copy.time(runAt(draft, moment));
        }
        copy.int4(moment.shelf());
        copy.int4(0);
        copy.int4(0);
        copy.int4(0);
        copy.int2(draft.priority());
        copy.int2((short) 0);
        copy.int2(States.code(JobState.SCHEDULED));
        copy.int2((short) 0);
        copy.uuidOrNull(draft.ties().batch());
        waits(copy, draft, moment);
      }
      copy.finish();
    }
  }

  private static void waits(BinaryCopy copy, Draft draft, Moment moment) throws SQLException {
    copy.int4OrNull(draft.waits());
    copy.int4OrNull(draft.ties().waits() ? 0 : null);
    copy.int2OrNull(draft.policy());
    copy.time(plannedFor(draft, moment));
  }

  private void links(PGConnection target, List<Draft> drafts, Moment moment) throws SQLException {
    List<Draft> waiting = drafts.stream().filter(d -> d.ties().waits()).toList();
    if (waiting.isEmpty()) {
      return;
    }
    try (BinaryCopy copy = new BinaryCopy(target, query("copy-link"))) {
      for (Draft draft : waiting) {
        List<Predecessor> after = draft.ties().after();
        for (int place = 0; place < after.size(); place++) {
          copy.row(6);
          copy.uuid(draft.id());
          copy.int4(place);
          copy.uuid(after.get(place).id());
          copy.text(after.get(place).name());
          copy.int4(moment.shelf());
          copy.bool(true);
        }
      }
      copy.finish();
    }
  }

  private void expiries(Connection connection, List<Draft> drafts, Moment moment)
      throws SQLException {
    List<Draft> expiring =
        drafts.stream().filter(d -> d.job().spec().expiresAt() != null).toList();
    if (expiring.isEmpty()) {
      return;
    }
    try (Call call = database.call(connection, "insert-expiry")) {
      call.set("shelf", moment.shelf())
          .set("ids", expiring.stream().map(Draft::id).toList())
          .set(
              "expiries",
              "timestamptz",
              expiring.stream().map(Columns::expiry).toArray(OffsetDateTime[]::new))
          .set("lanes", "int4", expiring.stream().map(Draft::lane).toArray(Integer[]::new))
          .set("priorities", "int2", expiring.stream().map(Draft::priority).toArray(Short[]::new))
          .update();
    }
  }

  /** Asked last, when nobody can cap or delete a queue any more before this transaction ends. */
  private void refuseStale(Connection connection, List<Draft> drafts) throws SQLException {
    try (Call call = database.call(connection, "changed-queues")) {
      if (call.set("queues", "int4", Columns.queues(drafts))
          .set("epoch", Columns.epoch(drafts))
          .one(row -> row.getBoolean("stale"))) {
        throw new StaleQueues();
      }
    }
  }

  private String query(String name) {
    return database.sql().query(name).text();
  }
}
