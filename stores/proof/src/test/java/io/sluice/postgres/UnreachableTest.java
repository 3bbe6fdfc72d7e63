package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.ErrorCode;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.testkit.TestPorts;
import io.sluice.testkit.TestPorts.ClosedPort;
import org.junit.jupiter.api.Test;

/** A database that cannot be reached: the start says why, and gives no secret away. */
class UnreachableTest {
  private static final String URL = Server.POSTGRES_18.url();

  @Test
  void start_saysThatNobodyListens() {
    try (ClosedPort closed = TestPorts.closed()) {
      String address = "127.0.0.1:" + closed.number();
      assertThat(refused("jdbc:postgresql://" + address + "/app?user=u&password=secret-1"))
          .contains("cannot be reached")
          .contains(address)
          .contains("refused")
          .doesNotContain("secret-1");
    }
  }

  @Test
  void start_saysThatThePasswordIsWrong() {
    assertThat(refused(URL + "no"))
        .contains("cannot be reached")
        .contains("password authentication failed");
  }

  @Test
  void start_saysThatTheDatabaseIsNotThere() {
    assertThat(refused(URL.replace("/postgres?", "/nowhere?")))
        .contains("database \"nowhere\" does not exist");
  }

  @Test
  void build_refusesAnotherKindOfAddress() {
    SluiceException refused = catchThrowableOfType(
        SluiceException.class, () -> PostgresStore.connect("jdbc:mysql://h/d?password=secret-1"));
    assertThat(refused.code()).isEqualTo(ErrorCode.BAD_CONFIGURATION);
    assertThat(refused).hasMessageContaining("jdbc:postgresql://");
    assertThat(refused.getMessage()).doesNotContain("secret-1");
  }

  private static String refused(String url) {
    PostgresStore store = PostgresStore.connect(url);
    try {
      SluiceException refused = catchThrowableOfType(
          SluiceException.class, () -> Sluice.builder(store).build().start());
      assertThat(refused.code()).isEqualTo(ErrorCode.PERSISTENCE_FAILURE);
      return refused.getMessage();
    } finally {
      store.close();
    }
  }
}
