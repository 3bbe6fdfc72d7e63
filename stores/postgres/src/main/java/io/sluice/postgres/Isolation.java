package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;

/**
 * The isolation of transactions that write jobs. With a snapshot of before, those that have come to wait for
 * a job meanwhile would be overlooked, and caps that were set meanwhile would be passed.
 */
final class Isolation {
  private Isolation() {}

  /** Fails unless every statement of this transaction sees what was committed before it. */
  static void require(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("show transaction_isolation")) {
      if (row.next()) {
        require(row.getString(1));
      }
    }
  }

  /** The same of a level as the server names it. */
  static void require(String level) {
    // PostgreSQL runs "read uncommitted" as "read committed".
    if (!level.startsWith("read ")) {
      throw refusal("this one is " + level.toUpperCase(Locale.ROOT));
    }
  }

  static SluiceException refusal(String found) {
    return new SluiceException(
        ErrorCode.BAD_CONFIGURATION,
        "a transaction that writes jobs must be READ COMMITTED, " + found
            + ": set the isolation before its first statement");
  }
}
