package io.sluice.postgres;

import io.sluice.postgres.Shelves.Shelf;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes the partitions of a day out of their tables and drops them. Any step may be cut off, by a
 * timeout or by the death of the process: the next call goes on from there.
 */
final class Partitions {
  private static final Logger LOG = LoggerFactory.getLogger(Partitions.class);
  private static final List<String> JOB_TABLES =
      List.of("job", "job_error", "job_log", "job_progress");

  private static final int MOST_COUNTED = 1_000;

  /** Whether a day that was taken out may really go. Looked at first in a transaction. */
  interface Check {
    boolean isUnused(Connection connection) throws SQLException;
  }

  private final Database database;

  Partitions(Database database) {
    this.database = database;
  }

  /** About how many jobs a day of outcomes has. */
  long size(Shelf shelf) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "size-of-day")) {
        return call.set("day", shelf.day())
            .set("most", MOST_COUNTED)
            .set("schema", database.sql().schema())
            .set("table", shelf.kind() + "_" + shelf.day())
            .one(row -> row.getLong("jobs"));
      }
    });
  }

  /** Drops a day; false when it stays for now, because of a lock, another process or the check. */
  boolean drop(Shelf shelf, Check check) {
    try {
      for (String parent : tables(shelf)) {
        database.attempt(true, connection -> detach(connection, parent, shelf.day()));
      }
      return database.attempt(false, connection -> dropDetached(connection, shelf, check));
    } catch (SQLException e) {
      LOG.info("Day {} of {} stays for now: {}", shelf.day(), shelf.kind(), e.getMessage());
      return false;
    }
  }

  private static List<String> tables(Shelf shelf) {
    return shelf.kind().equals(Shelves.JOB) ? JOB_TABLES : List.of(shelf.kind());
  }

  private boolean detach(Connection connection, String parent, int day) throws SQLException {
    List<Boolean> pending;
    try (Call call = database.call(connection, "attached")) {
      pending = call.set("schema", database.sql().schema())
          .set("table", parent + "_" + day)
          .list(row -> row.getBoolean("pending"));
    }
    if (pending.isEmpty()) {
      return false;
    }
    alter(connection, pending.getFirst() ? "finish-detach" : "detach", parent, day);
    return true;
  }

  /** In one transaction, under a lock: the day is unused, its tables go, and it is no shelf any more. */
  private boolean dropDetached(Connection connection, Shelf shelf, Check check)
      throws SQLException {
    for (String setting : List.of("plan-by-index", "wait-briefly")) {
      try (Call call = database.call(connection, setting)) {
        call.execute();
      }
    }
    boolean unused = check.isUnused(connection);
    try (Call call = database.call(connection, "purge-turn")) {
      if (!call.one(row -> row.getBoolean("mine"))) {
        return false;
      }
    }
    if (!unused) {
      for (String parent : tables(shelf)) {
        alter(connection, "attach", parent, shelf.day());
      }
      return false;
    }
    for (String parent : tables(shelf)) {
      alter(connection, "drop", parent, shelf.day());
    }
    try (Call call = database.call(connection, "close-shelf")) {
      call.set("kind", shelf.kind()).set("day", shelf.day()).update();
    }
    return true;
  }

  private void alter(Connection connection, String query, String parent, int day)
      throws SQLException {
    Query altered = database
        .sql()
        .query(query)
        .about("parent", parent)
        .about("partition", parent + "_" + day)
        .about("day", String.valueOf(day));
    try (Call call = database.call(connection, altered)) {
      call.execute();
    }
  }
}
