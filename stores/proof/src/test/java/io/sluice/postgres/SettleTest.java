package io.sluice.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Sluice;
import io.sluice.testkit.Eventually;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A batch whose last job's process died before it could end the batch is ended soon, also behind many others. */
@Tag("slow")
class SettleTest {
  private static final Server SERVER = Server.POSTGRES_18;
  private static final int OTHERS = 40_000;

  private final String schema = Server.newSchema();

  @AfterEach
  void drop() {
    SERVER.run("drop schema if exists " + schema + " cascade");
  }

  @Test
  void aForgottenBatch_isEnded_behindManyThatAreNotOver() {
    try (PostgresStore store = SERVER.store(schema).build()) {
      store.open();
      SERVER.run("""
          insert into %1$s.batch (id, tenant, name, keep_us, total, open, created_at)
          select ('00000000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, 'default', 'b', 1, %2$s,
            false, now()
          from generate_series(1, %3$d) i
          """.formatted(
              schema, "case when i = " + (OTHERS + 1) + " then 0 else 1 end", OTHERS + 1));
      Sluice engine = Sluice.builder(store).build().start();
      try {
        Eventually.await(
            "the batch to end",
            Duration.ofSeconds(25),
            () -> SERVER
                .ask("select count(*) from " + schema + ".batch where ended_at is not null")
                .equals("1"));
      } finally {
        engine.stop(Duration.ofSeconds(5));
      }
      assertThat(SERVER.ask("select count(*) from " + schema + ".batch where ended_at is null"))
          .isEqualTo("" + OTHERS);
    }
  }
}
