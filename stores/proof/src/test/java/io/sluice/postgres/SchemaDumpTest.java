package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The committed description of the schema is what the migrations make. When a migration is meant to
 * change it, run this test with {@code -Dsluice.dump=true} and commit the file.
 */
class SchemaDumpTest {
  private static final Path FILE = Path.of("src/test/resources/schema.sql");
  private static final String SCHEMA = "sluice_dump";

  @Test
  void schema_isWhatTheMigrationsMake() throws Exception {
    Server server = Server.POSTGRES_18;
    try (PostgresStore store = server.store(SCHEMA).build()) {
      store.open();
      String found = dump(server);
      if (Boolean.getBoolean("sluice.dump")) {
        Files.createDirectories(FILE.getParent());
        Files.writeString(FILE, found);
      }
      assertThat(found).isEqualTo(Files.readString(FILE));
    } finally {
      server.run("drop schema if exists " + SCHEMA + " cascade");
    }
  }

  private static String dump(Server server) throws Exception {
    List<String> lines = new ArrayList<>();
    try (Connection connection = server.connect();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(Files.readString(Path.of("src/test/resources/dump.sql")))) {
      while (row.next()) {
        lines.add(row.getString(1).replace(SCHEMA + ".", ""));
      }
    }
    return String.join("\n", lines) + "\n";
  }
}
