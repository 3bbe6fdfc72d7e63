package io.sluice.postgres;

import io.sluice.SluiceException;
import io.sluice.postgres.Shelves.Shelf;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
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
  private static final int BLOCKS = 512;
  /**
   * A day is left alone until nobody can still be writing to it. The index of outcomes that outlive their
   * bodies' day goes by this as well.
   */
  private static final int MARGIN_DAYS = 2;
  /** Up to this many bodies of a day are moved as soon as it is old; with more, the day stays for a while. */
  static final int FEW_STRAGGLERS = 100_000;

  private static final int LONGEST_DAYS = 8;

  private final Database database;
  private final Shelves shelves;
  private final Rulings rulings;
  private final Partitions partitions;
  private final Predecessors predecessors;
  private final LaneKeeper lanes;
  private final int fewStragglers;

  /** Pages are read by a database that plans them with indexes. */
  Purger(Database pages, Database looks, Shelves shelves, Rulings rulings, int fewStragglers) {
    this.database = pages;
    this.shelves = shelves;
    this.rulings = rulings;
    this.partitions = new Partitions(looks);
    this.predecessors = new Predecessors(pages);
    this.lanes = new LaneKeeper(pages);
    this.fewStragglers = fewStragglers;
  }

  /** Does every part of it, whichever fail, and then fails as the first of these. */
  long purge(int today) {
    List<SluiceException> failures = new ArrayList<>();
    AtomicLong gone = new AtomicLong();
    part(failures, () -> shelves.makeNext(today));
    part(failures, rulings::settle);
    part(failures, rulings::numberOrders);
    part(failures, this::purgeBuckets);
    part(failures, lanes::purge);
    part(failures, () -> predecessors.keep(today));
    List<Shelf> old = new ArrayList<>();
    part(failures, () -> old.addAll(olderThan(today - MARGIN_DAYS + 1)));
    AtomicBoolean mayGo = new AtomicBoolean();
    part(failures, () -> mayGo.set(!predecessors.areBeingKept()));
    if (mayGo.get()) {
      part(failures, this::purgeBatches);
      part(failures, () -> gone.addAndGet(purgeShelf0()));
      old.stream()
          .filter(shelf -> shelf.kind().equals(Shelves.DONE))
          .forEach(shelf -> part(failures, () -> gone.addAndGet(dropOutcomes(shelf))));
    }
    old.stream()
        .filter(shelf -> shelf.kind().equals(Shelves.JOB))
        .forEach(shelf -> part(failures, () -> dropBodies(shelf, today)));
    if (!failures.isEmpty()) {
      SluiceException first = failures.getFirst();
      failures.stream().skip(1).forEach(first::addSuppressed);
      throw first;
    }
    return gone.get();
  }

  private static void part(List<SluiceException> failures, Runnable part) {
    try {
      part.run();
    } catch (SluiceException e) {
      failures.add(e);
    }
  }

  private List<Shelf> olderThan(int day) {
    return shelves.list().stream().filter(shelf -> shelf.day() < day).toList();
  }

  /** Forgets rates that are unused by now: limit keys come and go without end. */
  private void purgeBuckets() {
    database.run(connection -> {
      try (Call call = database.call(connection, "purge-buckets")) {
        return call.update();
      }
    });
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
    if (!partitions.drop(shelf, connection -> true)) {
      return 0;
    }
    inBlocks("job_order", "forget-orders-in-blocks", call -> call);
    return jobs;
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

  private void dropBodies(Shelf shelf, int today) {
    int day = shelf.day();
    boolean patient = day > today - LONGEST_DAYS;
    if (patient && countStragglers(day) > fewStragglers) {
      LOG.debug("Many jobs of day {} are still in use, it stays for now", day);
      return;
    }
    moveStragglers(day);
    if (!database.transact(connection -> isUnused(connection, day))) {
      LOG.info("Day {} still has jobs in use, it stays for now", day);
      return;
    }
    // Looked at again once nobody can write there any more: a transaction may have slept for days.
    if (partitions.drop(shelf, connection -> isUnused(connection, day))) {
      dropOfDay("drop-keys-of-day", day);
      dropOfDay("drop-links-of-day", day);
      dropExpiries(day);
    }
  }

  /** How many jobs of a day are still needed, counted no further than is of interest. */
  private long countStragglers(int day) {
    Stragglers stragglers = new Stragglers(database, day);
    long found = 0;
    while (stragglers.hasNext() && found <= fewStragglers) {
      found += database.run(stragglers::next).size();
    }
    return found;
  }

  /** Moves what is still needed to shelf 0. */
  private void moveStragglers(int day) {
    Stragglers stragglers = new Stragglers(database, day);
    while (stragglers.hasNext()) {
      List<UUID> page = database.run(stragglers::next);
      for (int from = 0; from < page.size(); from += BATCH) {
        move(page.subList(from, Math.min(page.size(), from + BATCH)), day);
      }
    }
  }

  private void move(List<UUID> jobs, int day) {
    database.run(connection -> {
      try (Call call = database.call(connection, "move-to-shelf-0")) {
        return call.set("ids", jobs).set("day", day).one(row -> row.getInt("moved"));
      }
    });
  }

  /** True when one look at all states finds nothing; must be the first of a transaction. */
  private boolean isUnused(Connection connection, int day) throws SQLException {
    try (Call call = database.call(connection, "look-at-one-moment")) {
      call.execute();
    }
    Stragglers stragglers = new Stragglers(database, day);
    while (stragglers.hasNext()) {
      if (!stragglers.next(connection).isEmpty()) {
        return false;
      }
    }
    return true;
  }

  /** Expiries of jobs whose bodies are gone. */
  private void dropExpiries(int day) {
    inBlocks("expiry", "drop-expiries-in-blocks", call -> call.set("day", day));
  }

  private interface Setting {
    Call on(Call call) throws SQLException;
  }

  /** Runs a statement for all blocks of a table, a range at a time. */
  private void inBlocks(String table, String query, Setting setting) {
    int blocks = database.run(connection -> Blocks.of(database, connection, table));
    for (int block = 0; block < blocks; block += BLOCKS) {
      String from = Blocks.at(block);
      String to = Blocks.at(block + BLOCKS);
      database.run(connection -> {
        try (Call call = database.call(connection, query)) {
          return setting.on(call).set("from", from).set("to", to).update();
        }
      });
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
