package io.sluice.crashtest;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Looks at the database twice a second: how far things are, and which claims are old or outlive their lease. */
final class Watchman implements AutoCloseable {
  static final String DATABASE = "database";

  private static final Duration ROUND = Duration.ofMillis(500);
  private static final String COUNTS = """
      select (select count(*) from sluice.done), (select count(*) from sluice.ready),
        (select count(*) from sluice.later), (select count(*) from sluice.running)
      """;
  private static final String SLOTS = """
      with lanes as (
        select l.id from sluice.lane l join sluice.queue q on q.id = l.queue where q.name = ?
      )
      select w.name, count(*) from sluice.running r join sluice.worker w on w.id = r.worker
      where r.lane in (select id from lanes) group by w.name
      union all
      select '', count(*) from sluice.ready r where r.lane in (select id from lanes)
      """;
  /** By the last sign of life: the end of a lease is moved back to mark a worker that was found dead. */
  private static final String OVERDUE = """
      select o.id, (extract(epoch from now() - o.lease_end) * 1000)::bigint
      from (
        select r.id, w.seen_at + t.lease as lease_end, t.lease
        from sluice.running r join sluice.worker w on w.id = r.worker
        cross join (select ? * interval '1 millisecond' as lease) t
      ) o
      where o.lease_end < now() - o.lease
      """;

  private static final String HELD = """
      select r.id, r.turn, w.name from sluice.running r join sluice.worker w on w.id = r.worker
      where r.claimed_at < now() - ? * interval '1 millisecond'
      """;

  /** Jobs that are over, and jobs that are not. */
  record Counts(long over, long waiting, long running) {
    long open() {
      return waiting + running;
    }
  }

  private final Server server;
  private final Journal journal;
  private final Duration lease;
  private final Thread thread;
  private volatile Counts counts = new Counts(0, 0, 0);
  private volatile boolean closed;
  private @Nullable Connection connection;

  Watchman(Server server, Journal journal, Duration lease) {
    this.server = server;
    this.journal = journal;
    this.lease = lease;
    this.thread = Thread.ofPlatform().daemon().name("watchman").start(this::watch);
  }

  Counts counts() {
    return counts;
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  private void watch() {
    try {
      while (!closed) {
        look();
        Clock.rest(ROUND);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look() {
    try {
      if (connection == null) {
        connection = server.connect();
      }
      long begin = Clock.now();
      count(connection);
      overdue(connection);
      slots(connection);
      held(connection);
      if (Clock.now() - begin > lease.toNanos() / 4) {
        journal.write(new Entry.Stall(Clock.now(), DATABASE, begin));
      }
    } catch (SQLException e) {
      // Down, or its tables are not made yet.
      connection = null;
    }
  }

  private void count(Connection open) throws SQLException {
    try (Statement statement = open.createStatement();
        ResultSet result = statement.executeQuery(COUNTS)) {
      result.next();
      counts =
          new Counts(result.getLong(1), result.getLong(2) + result.getLong(3), result.getLong(4));
    }
  }

  /** One look at both, so that no job is seen in two places. */
  private void slots(Connection open) throws SQLException {
    try (PreparedStatement statement = open.prepareStatement(SLOTS)) {
      statement.setString(1, Work.CAPPED);
      try (ResultSet result = statement.executeQuery()) {
        Map<String, Integer> held = new HashMap<>();
        while (result.next()) {
          held.put(result.getString(1), result.getInt(2));
        }
        int waiting = held.getOrDefault("", 0);
        held.remove("");
        if (waiting > 0 || !held.isEmpty()) {
          journal.write(new Entry.Slots(Clock.now(), waiting, held));
        }
      }
    }
  }

  private void held(Connection open) throws SQLException {
    try (PreparedStatement statement = open.prepareStatement(HELD)) {
      statement.setLong(1, lease.toMillis());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          journal.write(new Entry.Held(
              Clock.now(), result.getString(3), result.getObject(1, UUID.class), result.getInt(2)));
        }
      }
    }
  }

  private void overdue(Connection open) throws SQLException {
    try (PreparedStatement statement = open.prepareStatement(OVERDUE)) {
      statement.setLong(1, lease.toMillis());
      try (ResultSet result = statement.executeQuery()) {
        while (result.next()) {
          UUID job = result.getObject(1, UUID.class);
          journal.write(new Entry.Overdue(Clock.now(), job, result.getLong(2)));
        }
      }
    }
  }
}
