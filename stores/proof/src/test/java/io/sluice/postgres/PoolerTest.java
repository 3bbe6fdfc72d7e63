package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGStatement;

/** The pooler of the tests is as hard on a client as a real one. */
class PoolerTest {
  private final Pooler pooler = Pooler.before(Server.POSTGRES_18);

  @Test
  void everyTransaction_isOnAnotherConnection() throws SQLException {
    try (Connection connection = pooler.getConnection()) {
      assertThat(pid(connection)).isNotEqualTo(pid(connection));
      connection.setAutoCommit(false);
      String first = pid(connection);
      assertThat(pid(connection)).isEqualTo(first);
      connection.commit();
      assertThat(pid(connection)).isNotEqualTo(first);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "set enable_seqscan = off",
        "set session statement_timeout = 1",
        "listen x",
        "select pg_advisory_lock(1)",
        "select pg_try_advisory_lock(1)",
        "create temp table t (a int)",
        "prepare p as select 1",
        "set local jit = off; set jit = off",
        "select set_config('jit', 'off', false)"
      })
  void sessionState_isRefused(String sql) throws SQLException {
    try (Connection connection = pooler.getConnection()) {
      connection.setAutoCommit(false);
      assertThatThrownBy(() -> connection.prepareStatement(sql))
          .hasMessageContaining("not behind a pooler");
    }
  }

  @Test
  void localSettings_areRefused_outsideOfATransaction() throws SQLException {
    try (Connection connection = pooler.getConnection()) {
      assertThatThrownBy(() -> connection.prepareStatement("set local jit = off"))
          .hasMessageContaining("outside of a transaction");
    }
  }

  @Test
  void namedStatement_isFound_whateverItCameBy() throws SQLException {
    try (Connection connection = pooler.getConnection()) {
      connection.setAutoCommit(false);
      try (var statement = connection.prepareStatement("select 1")) {
        statement.unwrap(PGStatement.class).setPrepareThreshold(1);
        statement.executeQuery().close();
      }
      assertThatThrownBy(connection::commit).hasMessageContaining("prepared: ");
    }
  }

  private static String pid(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
      row.next();
      return row.getString(1);
    }
  }
}
