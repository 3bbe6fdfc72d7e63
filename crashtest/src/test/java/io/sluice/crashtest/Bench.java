package io.sluice.crashtest;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;

/** Questions that several tests here put to the database, and figures they print. */
final class Bench {
  private Bench() {}

  /** The one number that a query answers, asked past every proxy. */
  static long ask(Server server, String sql) {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  static Duration percentile(long[] nanos, double share) {
    long[] sorted = nanos.clone();
    Arrays.sort(sorted);
    return Duration.ofNanos(sorted[(int) Math.min(sorted.length - 1, sorted.length * share)]);
  }
}
