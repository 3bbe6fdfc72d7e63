package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ManualClockTest {
  private final ManualClock clock = new ManualClock();

  @Test
  void standsStill_untilMoved() {
    assertThat(clock.instant()).isEqualTo(ManualClock.START).isEqualTo(clock.instant());
  }

  @Test
  void advance_moves_andShowsWhereTo() {
    assertThat(clock.advance(Duration.ofMinutes(5)))
        .isEqualTo(ManualClock.START.plusSeconds(300))
        .isEqualTo(clock.instant());
  }

  @Test
  void advance_canGoBack() {
    clock.advance(Duration.ofSeconds(-1));
    assertThat(clock.instant()).isBefore(ManualClock.START);
  }

  @Test
  void set_jumps() {
    clock.set(ManualClock.START.plusSeconds(7));
    assertThat(clock.millis()).isEqualTo(ManualClock.START.toEpochMilli() + 7_000);
  }

  @Test
  void advance_losesNoStep_ofManyThreads() {
    Together.run(8, i -> () -> {
      for (int step = 0; step < 1_000; step++) {
        clock.advance(Duration.ofMillis(1));
      }
      return i;
    });
    assertThat(clock.instant()).isEqualTo(ManualClock.START.plusSeconds(8));
  }
}
