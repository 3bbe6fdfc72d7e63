package io.sluice.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AxisTest {
  @Test
  void linearAxis_goesFromZero_inRoundSteps() {
    Axis axis = Axis.upTo(947);
    assertThat(axis.ticks()).containsExactly(0.0, 200.0, 400.0, 600.0, 800.0, 1000.0);
    assertThat(axis.place(0)).isZero();
    assertThat(axis.place(500)).isEqualTo(0.5);
    assertThat(axis.place(2_000)).isEqualTo(1);
  }

  @Test
  void linearAxis_hasTicks_whenAllIsZero() {
    assertThat(Axis.upTo(0).ticks()).hasSizeGreaterThan(1);
  }

  @Test
  void logarithmicAxis_goesByPowers() {
    Axis axis = Axis.byPowers(0.3, 45);
    assertThat(axis.ticks()).containsExactly(0.1, 1.0, 10.0, 100.0);
    assertThat(axis.place(0)).isZero();
    assertThat(axis.place(100)).isEqualTo(1);
  }

  @Test
  void tick_isWrittenShort() {
    assertThat(Axis.text(1000)).isEqualTo("1,000");
    assertThat(Axis.text(0.1)).isEqualTo("0.1");
    assertThat(Axis.text(0)).isEqualTo("0");
  }
}
