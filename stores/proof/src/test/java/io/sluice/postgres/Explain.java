package io.sluice.postgres;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** How a statement of the store is planned on connections for work, and what it did; which is taken back. */
record Explain(Server server, String schema) {
  /** The values of a statement's parameters. */
  interface Setting {
    Call on(Call call) throws SQLException;
  }

  String of(String name, String mode, Setting parameters) throws SQLException {
    Query query = new Sql(schema).query(name);
    Query explained =
        new Query("explain", "explain (analyze, buffers) " + query.text(), query.parameters());
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("set plan_cache_mode = " + mode
          + "; set jit = off; set enable_seqscan = off; set enable_bitmapscan = off");
      connection.setAutoCommit(false);
      try (Call call = new Call(connection, explained)) {
        return String.join("\n", parameters.on(call).list((ResultSet row) -> row.getString(1)));
      } finally {
        connection.rollback();
      }
    }
  }
}
