package io.sluice.server.secret;

import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import io.sluice.postgres.Times;
import io.sluice.server.access.Caller;
import io.sluice.server.access.Role;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The row that says which master key is in force and how far its change has come. Only one server at a
 * time works on a change: each of its writes here says who it is, and writes nothing when it was silent
 * too long and another one took over.
 */
final class RotationTable {
  /** What is done in turn: new data keys, then the values, then nothing. */
  enum Phase {
    KEYS,
    VALUES,
    DONE
  }

  /** Where to go on looking for values, in which table and after which row. */
  record Cursor(int place, @Nullable String after) {}

  /** How many rows with sealed values there are and were looked at, and what came of the values. */
  record Values(long total, long looked, long resealed, long unreadable) {}

  record State(
      String current,
      List<String> previous,
      int renewed,
      Phase phase,
      Keys keys,
      Values values,
      Progress progress) {}

  /** How many data keys there are, and how many of them are not renewed. */
  record Keys(long total, long left) {}

  /** Who asked for the change and when, and how far this look through the values has come. */
  record Progress(
      @Nullable Caller caller,
      @Nullable Instant startedAt,
      @Nullable Instant finishedAt,
      Cursor cursor,
      boolean changedInPass) {}

  private final Database database;
  private final UUID runner;

  RotationTable(Database database, UUID runner) {
    this.database = database;
    this.runner = runner;
  }

  State read() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "master-key")) {
        return call.one(RotationTable::state);
      }
    });
  }

  private static State state(ResultSet row) throws SQLException {
    String actor = row.getString("actor");
    return new State(
        row.getString("current"),
        List.of((String[]) row.getArray("previous").getArray()),
        row.getInt("renewed"),
        Phase.valueOf(row.getString("phase")),
        new Keys(row.getLong("keys_total"), row.getLong("keys_left")),
        new Values(
            row.getLong("total"),
            row.getLong("looked"),
            row.getLong("resealed"),
            row.getLong("unreadable")),
        new Progress(
            actor == null
                ? null
                : new Caller(row.getString("tenant"), Role.valueOf(row.getString("role")), actor),
            Times.readOrNull(row, "started_at"),
            Times.readOrNull(row, "finished_at"),
            new Cursor(row.getInt("place"), row.getString("after")),
            row.getBoolean("changed_in_pass")));
  }

  /** Locks the row to the end of the transaction; true when no change is going on. */
  boolean holdIdle(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "hold-master-key")) {
      return call.one(row -> row.getString("phase")).equals(Phase.DONE.name());
    }
  }

  /** Puts another master key in force, and thereby begins its change. */
  void change(Connection connection, String master, Caller caller) throws SQLException {
    try (Call call = database.call(connection, "change-master-key")) {
      call.set("master", master)
          .set("actor", caller.id())
          .set("role", caller.role().name())
          .set("tenant", caller.tenant())
          .update();
    }
  }

  /** True when there is work and it is ours to do for the next ten seconds. */
  boolean take() {
    return update("take-rotation");
  }

  boolean keysAreRenewed(long rows) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "keys-are-renewed")) {
        return call.set("runner", runner).set("total", rows).update() > 0;
      }
    });
  }

  /** Writes down how far it is; false when another one has taken over. */
  boolean note(SealedRows.Batch batch, Cursor next) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "note-reseal")) {
        return call.set("runner", runner)
                .set("looked", batch.looked())
                .set("resealed", batch.resealed())
                .set("unreadable", batch.unreadable())
                .set("place", next.place)
                .set("after", next.after)
                .update()
            > 0;
      }
    });
  }

  boolean passAgain(long rows) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "pass-again")) {
        return call.set("runner", runner).set("total", rows).update() > 0;
      }
    });
  }

  boolean end(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "end-rotation")) {
      return call.set("runner", runner).update() > 0;
    }
  }

  private boolean update(String statement) {
    return database.run(connection -> {
      try (Call call = database.call(connection, statement)) {
        return call.set("runner", runner).update() > 0;
      }
    });
  }
}
