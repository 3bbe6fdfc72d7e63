package io.sluice.embedded;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.postgresql.ds.PGSimpleDataSource;

/** The settings without which a commit is not a promise, asked of the running server. */
final class Durability {
  private static final List<String> REQUIRED =
      List.of("fsync", "full_page_writes", "synchronous_commit");

  private static final int TIMEOUT_SECONDS = 30;

  private Durability() {}

  static void require(String url, String user, String password) {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(url);
    source.setSocketTimeout(TIMEOUT_SECONDS);
    try (Connection connection = source.getConnection(user, password);
        Statement statement = connection.createStatement()) {
      for (String setting : REQUIRED) {
        String value = show(statement, setting);
        if (!value.equals("on")) {
          throw new EmbeddedPostgresException("PostgreSQL runs with " + setting + " = " + value
              + ", so a commit may be lost; it must be on");
        }
      }
    } catch (SQLException e) {
      throw new EmbeddedPostgresException("cannot ask PostgreSQL for its settings at " + url, e);
    }
  }

  private static String show(Statement statement, String setting) throws SQLException {
    try (ResultSet rows = statement.executeQuery("show " + setting)) {
      rows.next();
      return rows.getString(1);
    }
  }
}
