package io.sluice.crashtest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("long")
@Tag("crash")
class DatabaseClockTest {
  private static final long TOLERANCE = 30;

  @TempDir
  Path folder;

  @Test
  void step_movesTheClockOfTheDatabase_alsoAfterARestart_andNoOther() {
    DatabaseClock clock = DatabaseClock.in(folder);
    Server.Options options = new Server.Options(Map.of(), clock.environment());
    try (Server server = Server.start(folder.resolve("postgres"), options)) {
      assertThat(secondsAhead(server)).isBetween(-TOLERANCE, TOLERANCE);
      clock.step(Duration.ofHours(-1));
      assertThat(secondsAhead(server)).isBetween(-3_600 - TOLERANCE, -3_600 + TOLERANCE);
      server.kill();
      server.restart();
      assertThat(secondsAhead(server)).isBetween(-3_600 - TOLERANCE, -3_600 + TOLERANCE);
      clock.step(Duration.ZERO);
      assertThat(secondsAhead(server)).isBetween(-TOLERANCE, TOLERANCE);
    }
  }

  /** By how much the database's clock is ahead of this process's. */
  private static long secondsAhead(Server server) {
    long theirs = Bench.ask(server, "select extract(epoch from clock_timestamp())::bigint");
    return theirs - InstantSource.system().instant().getEpochSecond();
  }
}
