package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.When;
import io.sluice.store.NewJob;
import io.sluice.store.Promotion;
import io.sluice.testkit.ManualClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A job that is due while somebody's open transaction holds it. */
class HeldDueJobTest {
  private final PostgresLab lab = new PostgresLab(Server.POSTGRES_18, false);
  private final PostgresStore store = lab.store();
  private final ManualClock clock = lab.clock();

  @AfterEach
  void close() {
    lab.close();
  }

  @Test
  void promote_saysThatAllThatIsDueIsHeld_andWhenTheNextIsDue() throws SQLException {
    store.open();
    NewJob due = later(Duration.ofSeconds(1));
    store.insert(List.of(due, later(Duration.ofSeconds(31))));
    try (Connection connection = Server.POSTGRES_18.connect()) {
      connection.setAutoCommit(false);
      store.insert(connection, List.of(Sample.after("next", due.id())));
      clock.advance(Duration.ofSeconds(1));
      assertThat(store.promote(10)).isEqualTo(new Promotion(0, Duration.ofSeconds(30), true));
      connection.commit();
    }
    assertThat(store.promote(10)).isEqualTo(new Promotion(1, Duration.ofSeconds(30)));
  }

  private static NewJob later(Duration delay) {
    return Sample.job(Lane.of("default", "default", "sample"), "{}", null, When.in(delay));
  }
}
