package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How far ahead is claimed. */
class PaceTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  @Test
  void ahead_isATenthOfASecondOfWork() {
    Pace pace = new Pace();
    long start = Long.MIN_VALUE + 5;
    assertThat(pace.ahead(start, 0)).isZero();
    assertThat(pace.ahead(start + SECOND, 1_000)).isEqualTo(100);
    assertThat(pace.ahead(start + SECOND + 1, 1_000)).as("too soon to tell").isEqualTo(100);
  }

  @Test
  void ahead_fallsWhenWorkBecomesSlow_andIsBounded() {
    Pace pace = new Pace();
    pace.ahead(0, 0);
    assertThat(pace.ahead(SECOND, 10_000_000)).isEqualTo(5_000);
    int ahead = 0;
    for (int i = 2; i < 40; i++) {
      ahead = pace.ahead(i * SECOND, 10_000_000);
    }
    assertThat(ahead).isZero();
  }

  @Test
  void slowWork_isNotClaimedAhead() {
    Pace pace = new Pace();
    pace.ahead(0, 0);
    assertThat(pace.ahead(SECOND, 5)).isZero();
  }
}
