package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.SluiceException;
import java.sql.Connection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class StatementsTest {
  /** Statements that cannot be prepared: they are no queries, or name a table of their own. */
  private static final Set<String> COMMANDS = Set.of(
      "copy-job",
      "copy-ready",
      "copy-later",
      "copy-link",
      "detach",
      "finish-detach",
      "attach",
      "drop",
      "listen",
      "plan-by-index",
      "begin-guarded",
      "begin-by-index",
      "migrate-without-limit",
      "wait-a-moment",
      "wait-briefly",
      "begin-limited",
      "look-at-one-moment",
      "stragglers-in-blocks",
      "keep-needed",
      "hold-states");

  @ParameterizedTest
  @EnumSource(Server.class)
  void everyStatement_isAcceptedByTheServer(Server server) throws Exception {
    String schema = Server.newSchema();
    try (PostgresStore store = server.store(schema).build();
        Connection connection = server.connect()) {
      store.open();
      for (Query query : new Sql(schema).all()) {
        if (!COMMANDS.contains(query.name())) {
          try (var statement = connection.prepareStatement(query.text())) {
            assertThat(statement.getParameterMetaData().getParameterCount())
                .as(query.name())
                .isEqualTo(query.parameters().size());
          }
        }
      }
    } finally {
      server.run("drop schema if exists " + schema + " cascade");
    }
  }

  @Test
  void twoStatementsOfOneName_areRefused_withBothPlaces() {
    assertThatThrownBy(() -> new Sql("s", Sql.class, List.of("look.sql", "look.sql")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("two statements are named '\\S+': (look.sql line \\d+) and \\1");
    assertThatThrownBy(() -> new Sql("s", StatementsTest.class, List.of("once.sql", "twice.sql")))
        .hasMessage("two statements are named 'pick': once.sql line 2 and twice.sql line 5");
  }

  @Test
  void schema_mustBeAnIdentifier() {
    assertThatThrownBy(() -> new Sql("a\"; drop")).isInstanceOf(SluiceException.class);
  }
}
