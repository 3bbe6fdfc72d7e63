package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.store.Strikes;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How long a suspect may hold up the others. */
class PatienceTest {
  private final Patience patience = new Patience(Duration.ofSeconds(32));

  private Duration of(int alone, int inCompany) {
    return Duration.ofNanos(patience.nanos(new Strikes(alone, inCompany)));
  }

  @Test
  void nobody_waits_withoutASuspicion() {
    assertThat(of(0, 0)).isZero();
  }

  @Test
  void firstDeath_isAnEighthOfTheLease_andEachFurtherOneDoublesIt() {
    assertThat(of(0, 1)).hasSeconds(4);
    assertThat(of(0, 2)).hasSeconds(8);
    assertThat(of(0, 3)).hasSeconds(16);
    assertThat(of(0, 4)).hasSeconds(32);
  }

  @Test
  void deathsOfBothKinds_count() {
    assertThat(of(1, 0)).isEqualTo(of(0, 1));
    assertThat(of(1, 2)).isEqualTo(of(0, 3));
  }

  @Test
  void manyDeaths_areALongTime_andNoOverflow() {
    assertThat(of(2, 100)).isEqualTo(of(0, 11)).isGreaterThan(Duration.ofHours(1));
  }
}
