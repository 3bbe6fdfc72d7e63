package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** How much one claim takes. */
class ClaimSizeTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();
  private static final long MILLI = Duration.ofMillis(1).toNanos();
  private static final Share LARGE = new Share("large", "default");
  private static final Share SMALL = new Share("small", "default");

  private final ClaimSize size = new ClaimSize();
  private long now = Long.MAX_VALUE - SECOND;

  /** Claims of so many units, each in so many milliseconds, until nothing changes any more. */
  private void claims(int units, int millis) {
    for (int i = 0; i < 40; i++) {
      size.took(units, millis * MILLI);
    }
  }

  @Test
  void queueThatIsAlone_givesAllThereIsRoomFor() {
    size.dealt(Set.of(LARGE), now);
    claims(1_000, 500);
    size.dealt(Set.of(LARGE), now);
    assertThat(size.of(3_000, now)).isEqualTo(3_000);
  }

  @Test
  void whereSeveralShare_aClaimTakesEightMilliseconds() {
    size.dealt(Set.of(LARGE, SMALL), now);
    claims(500, 40);
    assertThat(size.of(3_000, now)).isEqualTo(100);
    assertThat(size.of(30, now)).as("no more than there is room for").isEqualTo(30);
    assertThat(size.of(-5, now)).as("no room").isEqualTo(-5);
  }

  @Test
  void othersThatComeByTurns_shareToo_forTenSeconds() {
    size.dealt(Set.of(LARGE), now);
    size.dealt(Set.of(SMALL), now);
    claims(500, 40);
    now += 10 * SECOND - 1;
    assertThat(size.of(3_000, now)).isEqualTo(100);
    now += 1;
    assertThat(size.of(3_000, now)).isEqualTo(3_000);
    now -= SECOND;
    assertThat(size.of(3_000, now)).as("what is over is over").isEqualTo(3_000);
  }

  @Test
  void claimsAreNeitherTiny_norWithoutBound_andSmallOnesTellNothing() {
    size.dealt(Set.of(LARGE, SMALL), now);
    claims(500, 10_000);
    assertThat(size.of(30_000, now)).isEqualTo(64);
    claims(31, 1);
    assertThat(size.of(30_000, now)).isEqualTo(64);
    claims(32, 1);
    assertThat(size.of(30_000, now)).isEqualTo(256);
    claims(5_000, 0);
    assertThat(size.of(30_000, now)).isEqualTo(5_000);
  }
}
