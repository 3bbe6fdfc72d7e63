package io.sluice.embedded;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Single statements against the server under test. */
final class Sql {
  private Sql() {}

  static void run(EmbeddedPostgres postgres, String sql) throws SQLException {
    try (Connection connection = connect(postgres);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static String ask(EmbeddedPostgres postgres, String sql) throws SQLException {
    try (Connection connection = connect(postgres);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static Connection connect(EmbeddedPostgres postgres) throws SQLException {
    return DriverManager.getConnection(postgres.jdbcUrl(), postgres.user(), postgres.password());
  }
}
