package io.sluice.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The partitions by day. A new schema has today's and tomorrow's, so that it opens quickly; housekeeping adds
 * a day at a time until there is a week of them. A day that has none is no failure: what belongs there
 * goes to shelf 0.
 */
final class Shelves {
  static final String JOB = "job";
  static final String DONE = "done";

  static final int DAYS_AHEAD = 8;

  /** A day's partitions of one kind. */
  record Shelf(String kind, int day) {}

  private final Database database;
  private final int daysAhead;

  Shelves(Database database, int daysAhead) {
    this.database = database;
    this.daysAhead = daysAhead;
  }

  static int dayOf(Instant time) {
    return (int) Math.floorDiv(time.getEpochSecond(), Duration.ofDays(1).toSeconds());
  }

  /** Makes the shelves of today and tomorrow, where they are not there yet. */
  void makeFirst(int today) {
    Set<Shelf> there = new HashSet<>(list());
    for (int day = today; day <= today + Math.min(1, daysAhead); day++) {
      makeDay(day, there);
    }
  }

  /** Makes today's, tomorrow's, and those of the first later day that has none. */
  void makeNext(int today) {
    makeFirst(today);
    Set<Shelf> there = new HashSet<>(list());
    for (int day = today; day <= today + daysAhead; day++) {
      if (makeDay(day, there)) {
        return;
      }
    }
  }

  /** False when there was nothing to make. */
  private boolean makeDay(int day, Set<Shelf> there) {
    boolean made = false;
    for (String kind : List.of(JOB, DONE)) {
      Shelf shelf = new Shelf(kind, day);
      if (!there.contains(shelf)) {
        make(shelf);
        made = true;
      }
    }
    return made;
  }

  List<Shelf> list() {
    return database.run(connection -> {
      try (Call call = database.call(connection, "shelves")) {
        return call.list(row -> new Shelf(row.getString("kind"), row.getInt("day")));
      }
    });
  }

  private void make(Shelf shelf) {
    database.run(connection -> make(connection, shelf));
  }

  private boolean make(Connection connection, Shelf shelf) throws SQLException {
    try (Call call = database.call(connection, "make-shelf")) {
      return call.set("kind", shelf.kind())
          .set("day", shelf.day())
          .one(row -> row.getBoolean("made"));
    }
  }
}
