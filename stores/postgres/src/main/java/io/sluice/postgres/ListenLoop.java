package io.sluice.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears the hints of other processes on a connection of its own. A connection that is silent is asked
 * whether it lives; one that broke is replaced, after a pause that grows and varies, and whatever may
 * have been missed meanwhile is told as if it had been heard.
 */
final class ListenLoop implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ListenLoop.class);
  private static final Duration SLICE = Duration.ofMillis(500);
  private static final int SILENT_SLICES = 20;
  private static final int PROBE_SECONDS = 5;
  private static final long FIRST_PAUSE_MS = 50;
  private static final long LONGEST_PAUSE_MS = 5_000;

  private final Database database;
  private final Connections connections;
  private final Signals signals;
  private final Notifier notifier;
  private final RandomGenerator random = RandomGenerator.getDefault();
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable Connection current;

  ListenLoop(Database database, Connections connections, Signals signals, Notifier notifier) {
    this.database = database;
    this.connections = connections;
    this.signals = signals;
    this.notifier = notifier;
  }

  void start() {
    Thread.ofPlatform().daemon().name("sluice-listen").start(this::loop);
  }

  /** A connection of our own is cut; a borrowed one ends within a slice and goes back as it came. */
  @Override
  public void close() {
    closed.countDown();
    Connection connection = current;
    if (connection != null && connections.ownsSingles()) {
      try {
        connection.close();
      } catch (SQLException e) {
        LOG.debug("The listening connection did not close cleanly", e);
      }
    }
  }

  private void loop() {
    long pause = FIRST_PAUSE_MS;
    try {
      do {
        try (Connection connection = connections.single()) {
          current = connection;
          subscribe(connection);
          pause = FIRST_PAUSE_MS;
          hearAll();
          hear(connection);
          unsubscribe(connection);
        } catch (SQLException e) {
          LOG.debug("The listening connection is lost", e);
        } finally {
          current = null;
        }
        pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
      } while (!closed.await(pause / 2 + random.nextLong(pause / 2), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void subscribe(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    try (Call call = database.call(connection, "listen")) {
      call.execute();
    }
  }

  private void unsubscribe(Connection connection) throws SQLException {
    if (!connections.ownsSingles()) {
      try (Call call = database.call(connection, "unlisten")) {
        call.execute();
      }
    }
  }

  private void hearAll() {
    List.of(Signals.QUEUES, Signals.BREAKERS, Signals.LATER, Signals.WORK).forEach(signals::hear);
  }

  private void hear(Connection connection) throws SQLException {
    PGConnection source = connection.unwrap(PGConnection.class);
    int silent = 0;
    while (closed.getCount() > 0) {
      PGNotification[] heard = source.getNotifications((int) SLICE.toMillis());
      if (heard == null || heard.length == 0) {
        if (++silent % SILENT_SLICES == 0 && !connection.isValid(PROBE_SECONDS)) {
          throw new SQLException("the listening connection does not answer");
        }
        continue;
      }
      silent = 0;
      for (PGNotification notification : heard) {
        String hint = notifier.heard(notification.getParameter());
        if (hint != null) {
          signals.hear(hint);
        }
      }
    }
  }
}
