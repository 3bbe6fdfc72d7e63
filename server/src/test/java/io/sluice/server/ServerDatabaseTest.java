package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A client that falls silent must not keep rows of jobs for longer than a statement may take. */
class ServerDatabaseTest {
  private static final String REPEATABLE_READ =
      "-c%20default_transaction_isolation=repeatable%5C%20read";

  @Test
  void transactions_areReadCommitted_andEndWhenTheClientIsSilent() {
    assertTransactionsAreSetUp(TestServer.database(TestServer.newSchema()));
  }

  @Test
  void transactionsBehindAPooler_areSetUpTheSame() {
    ServerSettings.DatabaseSettings direct = TestServer.database(TestServer.newSchema());
    assertTransactionsAreSetUp(new ServerSettings.DatabaseSettings(
        direct.url() + "?options=" + REPEATABLE_READ,
        direct.user(),
        direct.password(),
        direct.schema(),
        true));
  }

  private static void assertTransactionsAreSetUp(ServerSettings.DatabaseSettings settings) {
    try (ServerDatabase tables = new ServerDatabase(settings)) {
      List<String> found = tables.database().transact(connection -> {
        try (Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery("""
                select current_setting('transaction_isolation'), current_setting('statement_timeout'),
                  current_setting('idle_in_transaction_session_timeout')
                """)) {
          row.next();
          return List.of(row.getString(1), row.getString(2), row.getString(3));
        }
      });
      assertThat(found).containsExactly("read committed", "20s", "20s");
    }
  }
}
