package io.sluice.postgres;

import com.zaxxer.hikari.HikariDataSource;
import io.sluice.testkit.Eventually;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The way of one test to connections that the next will use. Once it is closed, nothing that the test
 * left running comes through, and all that came through before is over.
 */
final class Door implements PlainSource, AutoCloseable {
  /** How many of them are worth keeping: those of a test with many threads would be too many for the server. */
  private static final int KEPT = 3;

  private final HikariDataSource pool;
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private boolean closed;

  Door(HikariDataSource pool) {
    this.pool = pool;
  }

  @Override
  public Connection getConnection() throws SQLException {
    lock.readLock().lock();
    try {
      if (closed) {
        throw new SQLException("the test that had these connections is over", "08003");
      }
      return pool.getConnection();
    } finally {
      lock.readLock().unlock();
    }
  }

  @Override
  public void close() {
    lock.writeLock().lock();
    try {
      closed = true;
    } finally {
      lock.writeLock().unlock();
    }
    Eventually.await(
        "all connections of " + pool.getPoolName() + " are given back",
        () -> pool.getHikariPoolMXBean().getActiveConnections() == 0);
    if (pool.getHikariPoolMXBean().getTotalConnections() > KEPT) {
      pool.getHikariPoolMXBean().softEvictConnections();
    }
  }
}
