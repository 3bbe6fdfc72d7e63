package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Statistics of tables that had just been emptied say that there is next to nothing in them. Plans that were
 * made by those must not go through all that has come in since.
 */
@Tag("slow")
class EmptiedTablesTest {
  private static final int ALL = 10_000;
  private static final int SOME = 50;
  private static final int FEW = 20 * SOME;

  private final String schema = Server.newSchema();
  private Server server = Server.POSTGRES_18;

  @AfterEach
  void drop() {
    server.run("drop schema if exists " + schema + " cascade");
  }

  @ParameterizedTest
  @MethodSource("io.sluice.postgres.Server#measured")
  void whatWaits_isLookedUp_whenOthersEndOrRunAgainOrComeBack(Server one) throws SQLException {
    server = one;
    linkAsMuchAsBefore();
    for (int state : List.of(5, 7)) {
      assertThat(
              rowsReadBy("wake", some("predecessor"), times(state + "::smallint"), none(), "now()"))
          .as("others end in state " + state)
          .isBetween(SOME, FEW);
    }
    assertThat(rowsReadBy(
            "come_back",
            some("successor"),
            times("1"),
            none(),
            times("1"),
            some("successor"),
            some("place"),
            "now()"))
        .as("come back")
        .isBetween(SOME, FEW);
    server.run("update " + schema + ".link set open = false; update " + schema
        + ".later set waits = 0, failed = 1, policy = 3");
    assertThat(rowsReadBy("wait_again", some("predecessor"), times("7::smallint"), none()))
        .as("others run again")
        .isBetween(SOME, FEW);
  }

  /** As many jobs that wait, each for another, as there were before all of them went. */
  private void linkAsMuchAsBefore() {
    try (PostgresStore store = server.store(schema).build()) {
      store.open();
      store.insert(List.of(Sample.job()));
    }
    link();
    server.run("set search_path = " + schema
        + "; delete from link; delete from later; analyze link; analyze later");
    link();
  }

  private void link() {
    server.run("set search_path = " + schema + ";"
        + "insert into link select gen_random_uuid(), 0, gen_random_uuid(), 'x', 0, true "
        + "from generate_series(1, " + ALL + ");"
        + "insert into later (id, lane, run_at, shelf, attempt, turn, replays, priority, strikes, kind, "
        + "suspect, waits, failed, policy) select successor, 1, 'infinity', 0, 0, 0, 0, 10, 0, 1, 0, 1, 0, 1 "
        + "from link");
  }

  private String some(String column) {
    return "(select array_agg(l." + column + ") from (select * from " + schema
        + ".link order by predecessor limit " + SOME + ") l)";
  }

  private static String times(String value) {
    return "array_fill(" + value + ", array[" + SOME + "])";
  }

  private static String none() {
    return times("null::uuid");
  }

  /** The rows of links and of jobs that wait that a function read, whose work is then taken back. */
  private int rowsReadBy(String function, String... arguments) throws SQLException {
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute("set plan_cache_mode = force_generic_plan; set jit = off; "
          + "set enable_seqscan = off; set enable_bitmapscan = off");
      List<String> values = new ArrayList<>();
      for (String argument : arguments) {
        values.add(literal(statement, argument));
      }
      connection.setAutoCommit(false);
      statement.execute(
          "select " + schema + "." + function + "(" + String.join(", ", values) + ")");
      try (ResultSet row = statement.executeQuery(
          "select sum(coalesce(t.seq_tup_read, 0) + coalesce(t.idx_tup_fetch, 0))::integer"
              + " from pg_stat_xact_user_tables t where t.relname in ('link', 'later')"
              + " and t.schemaname = '" + schema + "'")) {
        row.next();
        return row.getInt(1);
      } finally {
        connection.rollback();
      }
    }
  }

  /** The value of an expression, written out: reading it is then no part of what is counted. */
  private static String literal(Statement statement, String expression) throws SQLException {
    try (ResultSet row = statement.executeQuery(
        "select quote_literal(" + expression + ") || '::' || pg_typeof(" + expression + ")")) {
      row.next();
      return row.getString(1);
    }
  }
}
