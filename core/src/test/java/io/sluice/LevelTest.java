package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The marks of a capped queue. */
class LevelTest {
  private static Level of(long held) {
    return Level.of(held, 1000, HealthRules.DEFAULT.withLevels(0.1, 0.5).marks());
  }

  @Test
  void level_changesAtItsMarks() {
    assertThat(of(0)).isEqualTo(Level.NORMAL);
    assertThat(of(99)).isEqualTo(Level.NORMAL);
    assertThat(of(100)).isEqualTo(Level.WARNING);
    assertThat(of(499)).isEqualTo(Level.WARNING);
    assertThat(of(500)).isEqualTo(Level.HIGH);
    assertThat(of(999)).isEqualTo(Level.HIGH);
    assertThat(of(1000)).isEqualTo(Level.FULL);
    assertThat(of(1001)).isEqualTo(Level.FULL);
  }
}
