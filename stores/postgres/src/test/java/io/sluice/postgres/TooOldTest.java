package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.ErrorCode;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import org.junit.jupiter.api.Test;

/** A database that is too old is refused before anything is written to it. */
class TooOldTest {
  @Test
  void postgres13_isRefused_andLeftAlone() {
    Server server = Server.POSTGRES_13;
    Sluice sluice = Sluice.builder(PostgresStore.connect(server.url())).build();
    SluiceException refused = catchThrowableOfType(SluiceException.class, sluice::start);
    assertThat(refused.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
    assertThat(refused).hasMessageContaining("13").hasMessageContaining("14");
    assertThat(server.ask("select count(*) from pg_namespace where nspname = 'sluice'"))
        .isEqualTo("0");
  }
}
