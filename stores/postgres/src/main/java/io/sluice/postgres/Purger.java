package io.sluice.postgres;

import io.sluice.postgres.Shelves.Shelf;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops what is kept no longer, a day at a time. Outcomes lie on the day on which their keeping ends,
 * so that day goes as a whole. Bodies lie on the day they were made: what is still needed of an old
 * day moves to shelf 0 first. Nothing here makes a reader or writer wait.
 */
final class Purger {
  private static final Logger LOG = LoggerFactory.getLogger(Purger.class);
  private static final int BATCH = 1000;
  private static final int ROUNDS = 1000;
  /** A day is left alone until nobody can still be writing to it. */
  private static final int MARGIN_DAYS = 2;

  private final Database database;
  private final Shelves shelves;
  private final Partitions partitions;

  Purger(Database database, Shelves shelves) {
    this.database = database;
    this.shelves = shelves;
    this.partitions = new Partitions(database);
  }

  long purge(int today) {
    shelves.makeNext(today);
    purgeBuckets();
    keepNeeded();
    purgeBatches();
    long gone = purgeShelf0();
    for (Shelf shelf : shelves.list()) {
      if (shelf.day() <= today - MARGIN_DAYS) {
        gone += shelf.kind().equals(Shelves.DONE) ? dropOutcomes(shelf) : dropBodies(shelf);
      }
    }
    return gone;
  }

  /** Forgets rates that are unused by now: limit keys come and go without end. */
  private void purgeBuckets() {
    database.run(connection -> {
      try (Call call = database.call(connection, "purge-buckets")) {
        return call.update();
      }
    });
  }

  /** The place of a link among all. */
  private record Link(UUID successor, int place) {}

  /** Puts off the end of what others still wait for, or will want to know the results of. */
  private void keepNeeded() {
    Link last = new Link(LowWater.START, -1);
    while (last != null) {
      last = keepNeeded(last);
    }
  }

  private @Nullable Link keepNeeded(Link after) {
    List<Link> last = database.run(connection -> {
      try (Call call = database.call(connection, "keep-needed")) {
        return call.set("successor", after.successor())
            .set("place", after.place())
            .set("max", BATCH)
            .list(row -> new Link(row.getObject("successor", UUID.class), row.getInt("place")));
      }
    });
    return last.isEmpty() ? null : last.getFirst();
  }

  private void purgeBatches() {
    int gone = BATCH;
    for (int round = 0; round < ROUNDS && gone == BATCH; round++) {
      gone = database.run(connection -> {
        try (Call call = database.call(connection, "purge-batches")) {
          return call.set("max", BATCH).one(row -> row.getInt("gone"));
        }
      });
    }
  }

  private long purgeShelf0() {
    long gone = 0;
    for (int round = 0; round < ROUNDS; round++) {
      int batch = database.run(connection -> {
        try (Call call = database.call(connection, "purge-shelf-0")) {
          return call.set("max", BATCH).one(row -> row.getInt("gone"));
        }
      });
      gone += batch;
      if (batch < BATCH) {
        break;
      }
    }
    return gone;
  }

  /** Outcomes whose day is over, after the bodies in shelf 0 that belong to them. */
  private long dropOutcomes(Shelf shelf) {
    Outcome last = new Outcome(0, LowWater.START);
    while (last != null) {
      last = deleteBodies(shelf.day(), last);
    }
    long jobs = partitions.size(shelf);
    return partitions.drop(shelf, connection -> true) ? jobs : 0;
  }

  /** The place of an outcome within its day. */
  private record Outcome(int lane, UUID id) {}

  private @Nullable Outcome deleteBodies(int day, Outcome after) {
    List<Outcome> last = database.run(connection -> {
      try (Call call = database.call(connection, "purge-bodies-of-day")) {
        return call.set("day", day)
            .set("lane", after.lane())
            .set("id", after.id())
            .set("max", BATCH)
            .list(row -> new Outcome(row.getInt("lane"), row.getObject("id", UUID.class)));
      }
    });
    return last.isEmpty() ? null : last.getFirst();
  }

  private long dropBodies(Shelf shelf) {
    if (!moveStragglers(shelf.day())) {
      LOG.info("Day {} still has jobs in use, it stays for now", shelf.day());
      return 0;
    }
    // Looked at again once nobody can write there any more: a transaction may have slept for days.
    boolean dropped = partitions.drop(shelf, c -> stragglers(c, shelf.day()).isEmpty());
    if (dropped) {
      dropOfDay("drop-keys-of-day", shelf.day());
      dropOfDay("drop-links-of-day", shelf.day());
    }
    return 0;
  }

  /** Moves what is still needed to shelf 0, until one look at all states finds nothing. */
  private boolean moveStragglers(int day) {
    int idle = 0;
    for (int round = 0; round < ROUNDS && idle < 3; round++) {
      List<UUID> found = database.run(connection -> stragglers(connection, day));
      if (found.isEmpty()) {
        return true;
      }
      int moved = database.run(connection -> {
        try (Call call = database.call(connection, "move-to-shelf-0")) {
          return call.set("ids", found).set("day", day).one(row -> row.getInt("moved"));
        }
      });
      idle = moved == 0 ? idle + 1 : 0;
    }
    return false;
  }

  private List<UUID> stragglers(Connection connection, int day) throws SQLException {
    try (Call call = database.call(connection, "stragglers")) {
      return new ArrayList<>(
          call.set("day", day).set("max", BATCH).list(row -> row.getObject("id", UUID.class)));
    }
  }

  private void dropOfDay(String query, int day) {
    int gone;
    do {
      gone = database.run(connection -> {
        try (Call call = database.call(connection, query)) {
          return call.set("day", day).set("max", BATCH).update();
        }
      });
    } while (gone == BATCH);
  }
}
