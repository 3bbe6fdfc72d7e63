package io.sluice.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;

/**
 * Connections that add up the blocks of tables and indexes which the server touched for them. Needs
 * PostgreSQL 18, and only what was given back is counted.
 */
final class MeteredSource implements PlainSource, AutoCloseable {
  private static final int RUNS = 5;

  private final Server server;
  private final AtomicLong blocks = new AtomicLong();
  private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();

  MeteredSource(Server server) {
    this.server = server;
  }

  /** The blocks that some work touches. */
  long blocks(Runnable work) {
    long before = blocks.get();
    work.run();
    return blocks.get() - before;
  }

  /** The least of some: now and then a statement is planned anew or reads the catalog again. */
  long leastBlocks(Runnable work) {
    return LongStream.range(0, RUNS).map(i -> blocks(work)).min().orElseThrow();
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection known = idle.poll();
    Connection connection = known == null ? connect() : known;
    long before = touched(connection);
    return (Connection) Proxy.newProxyInstance(
        Connection.class.getClassLoader(),
        new Class<?>[] {Connection.class},
        (self, method, arguments) -> {
          try {
            if (method.getName().equals("close")) {
              blocks.addAndGet(touched(connection) - before);
              idle.push(connection);
              return null;
            }
            return method.invoke(connection, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        });
  }

  private Connection connect() throws SQLException {
    Connection connection = server.connect();
    try (Statement statement = connection.createStatement()) {
      statement.execute("set jit = off; set max_parallel_workers_per_gather = 0");
    }
    return connection;
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : idle) {
      connection.close();
    }
  }

  private static long touched(Connection connection) throws SQLException {
    connection.setAutoCommit(true);
    try (Statement statement = connection.createStatement()) {
      statement.execute("select pg_stat_force_next_flush()");
      try (ResultSet row = statement.executeQuery("select coalesce(sum(hits + reads), 0)"
          + " from pg_stat_get_backend_io(pg_backend_pid()) where object = 'relation'")) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
