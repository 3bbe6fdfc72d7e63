package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.ErrorCode;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A database that is too old is refused before anything is written to it. */
class TooOldTest {
  @TempDir
  Path folder;

  @Test
  void postgres13_isRefused_andLeftAlone() throws SQLException {
    Path binaries = Path.of(System.getProperty("sluice.test.postgres13"));
    try (EmbeddedPostgres old =
        EmbeddedPostgres.builder(folder).binaries(binaries).start()) {
      Sluice sluice =
          Sluice.builder(PostgresStore.connect(old.urlWithPassword())).build();
      SluiceException refused = catchThrowableOfType(SluiceException.class, sluice::start);
      assertThat(refused.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
      assertThat(refused).hasMessageContaining("13").hasMessageContaining("14");
      assertThat(hasSchema(old)).isFalse();
    }
  }

  private static boolean hasSchema(EmbeddedPostgres server) throws SQLException {
    try (Connection connection = DriverManager.getConnection(server.urlWithPassword());
        ResultSet found = connection.getMetaData().getSchemas(null, "sluice")) {
      return found.next();
    }
  }
}
