package io.sluice.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/** Another session's transaction that keeps an old view of the database, so that nothing can be cleaned. */
final class HeldSnapshot implements AutoCloseable {
  private final Connection connection;

  HeldSnapshot(Database database) throws SQLException {
    connection = database.connect();
    connection.setAutoCommit(false);
    connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
    try (Statement statement = connection.createStatement()) {
      statement.execute("select count(*) from pg_class");
    }
  }

  @Override
  public void close() throws SQLException {
    connection.rollback();
    connection.close();
  }
}
