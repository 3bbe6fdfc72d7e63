package io.sluice.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.UUID;

/**
 * A walk over the jobs of an old day that still wait, run or are kept, a page at a time, so that no
 * statement reads more than a bounded part of a table. A job that moves meanwhile may be missed, unless all
 * pages are read in one snapshot.
 */
final class Stragglers {
  private static final List<String> STATES = List.of("running", "ready", "later");
  private static final int BLOCKS = 512;
  private static final int OUTCOMES = 5_000;

  private final Database database;
  private final int day;
  private final Deque<String> tables = new ArrayDeque<>(STATES);
  private Outcome last = new Outcome(0, LowWater.START, false);
  private boolean outcomesSeen;
  private int block;
  private int blocks = -1;

  Stragglers(Database database, int day) {
    this.database = database;
    this.day = day;
  }

  boolean hasNext() {
    return !outcomesSeen || !tables.isEmpty();
  }

  /** The next page, which may be empty. */
  List<UUID> next(Connection connection) throws SQLException {
    return outcomesSeen ? inBlocks(connection, tables.element()) : outcomes(connection);
  }

  /** An outcome of the day. */
  private record Outcome(int lane, UUID id, boolean kept) {}

  private List<UUID> outcomes(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "straggling-outcomes")) {
      List<Outcome> found = call.set("day", day)
          .set("lane", last.lane())
          .set("id", last.id())
          .set("max", OUTCOMES)
          .list(row -> new Outcome(
              row.getInt("lane"), row.getObject("id", UUID.class), row.getBoolean("kept")));
      outcomesSeen = found.size() < OUTCOMES;
      last = found.isEmpty() ? last : found.getLast();
      return found.stream().filter(Outcome::kept).map(Outcome::id).toList();
    }
  }

  private List<UUID> inBlocks(Connection connection, String table) throws SQLException {
    if (blocks < 0) {
      blocks = Blocks.of(database, connection, table);
    }
    List<UUID> found = new ArrayList<>();
    if (block < blocks) {
      try (Call call = Blocks.call(database, connection, "stragglers-in-blocks", table)) {
        call.set("from", Blocks.at(block))
            .set("to", Blocks.at(block + BLOCKS))
            .set("day", day)
            .each(row -> found.add(row.getObject("id", UUID.class)));
      }
      block += BLOCKS;
    }
    if (block >= blocks) {
      tables.remove();
      block = 0;
      blocks = -1;
    }
    return found;
  }
}
