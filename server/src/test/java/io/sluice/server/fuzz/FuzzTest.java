package io.sluice.server.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * Calls of every operation of the OpenAPI document, good and bad, by all roles of several tenants at once. All chance comes
 * from one seed: {@code -Dsluice.seed=7} has another run, {@code -Dsluice.calls=1000} a shorter one.
 */
@Tag("fuzz")
@Tag("slow")
@Isolated("the log is read, and other servers would write to it")
class FuzzTest {
  private static final long SEED = Long.getLong("sluice.seed", 1);

  @TempDir
  Path folder;

  @Test
  void someCalls_breakNoRule() throws Exception {
    run(new FuzzRun.Size(
        Integer.getInteger("sluice.calls", 2_000), 4, Duration.ofSeconds(30), false));
  }

  @Test
  @Tag("long")
  void veryManyCalls_breakNoRule_andEveryOperationSucceeds() throws Exception {
    run(new FuzzRun.Size(
        Integer.getInteger("sluice.calls", 200_000), 12, Duration.ofSeconds(5), true));
  }

  private void run(FuzzRun.Size size) throws Exception {
    FuzzBook book = new FuzzRun(SEED, size).run(folder);
    assertThat(book.faults().isEmpty()).as(book.report()).isTrue();
  }
}
