package io.sluice.crashtest;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Watches the claims of one worker in the database, for the moment when another has one of its jobs. */
final class Takeover implements AutoCloseable {
  private static final String CLAIMS = """
      select r.id, r.turn from sluice.running r join sluice.worker w on w.id = r.worker where w.name = ?
      """;
  private static final String TAKEN_OVER = """
      select exists (
        select 1 from unnest(?::uuid[], ?::integer[]) as g(id, turn)
        join sluice.running r on r.id = g.id and r.turn > g.turn)
      """;

  private final Server server;
  private final List<UUID> jobs = new ArrayList<>();
  private final List<Integer> turns = new ArrayList<>();
  private @Nullable Connection connection;

  Takeover(Server server) {
    this.server = server;
  }

  /** Takes note of what the worker holds now. */
  void watch(String worker) {
    try {
      connection = server.connect();
      try (PreparedStatement statement = connection.prepareStatement(CLAIMS)) {
        statement.setString(1, worker);
        ResultSet result = statement.executeQuery();
        while (result.next()) {
          jobs.add(result.getObject(1, UUID.class));
          turns.add(result.getInt(2));
        }
      }
    } catch (SQLException e) {
      // The database is down: nothing will be seen.
      close();
    }
  }

  /** True when one of these jobs runs under a later claim. */
  boolean isSeen() {
    if (connection == null || jobs.isEmpty()) {
      return false;
    }
    try (PreparedStatement statement = connection.prepareStatement(TAKEN_OVER)) {
      statement.setArray(1, connection.createArrayOf("uuid", jobs.toArray()));
      statement.setArray(2, connection.createArrayOf("int4", turns.toArray()));
      ResultSet result = statement.executeQuery();
      return result.next() && result.getBoolean(1);
    } catch (SQLException e) {
      close();
      return false;
    }
  }

  @Override
  public void close() {
    try {
      if (connection != null) {
        connection.close();
        connection = null;
      }
    } catch (SQLException e) {
      connection = null; // it went with the database
    }
  }
}
