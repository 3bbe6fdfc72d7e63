package io.sluice.server.listener;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** How fast the rest of refused requests is read. */
class DropRateTest {
  private static final int MIB = 1 << 20;

  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5);
  private final DropRate rate = new DropRate(nanos::get);

  private long millisFor(int bytes) {
    return TimeUnit.NANOSECONDS.toMillis(rate.count(bytes).orElseThrow());
  }

  @Test
  void oneLargeUpload_doesNotWait() {
    assertThat(millisFor(64 * MIB)).isZero();
  }

  @Test
  void whatComesAfterIt_goesAtTheRate_forAllConnectionsTogether() {
    rate.count(64 * MIB);
    assertThat(millisFor(2 * MIB)).isEqualTo(62);
    assertThat(millisFor(2 * MIB)).isEqualTo(125);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
    assertThat(millisFor(2 * MIB)).isEqualTo(87);
  }

  /** However many come, none waits for long. */
  @Test
  void beyondAShortWait_nothingIsDropped_norCounted() {
    rate.count(64 * MIB + 4 * MIB);
    for (int i = 0; i < 100_000; i++) {
      assertThat(rate.count(MIB)).isEmpty();
    }
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(125));
    assertThat(millisFor(MIB)).isEqualTo(31);
  }

  @Test
  void timeWithoutDrops_isSavedForTwoSecondsAtMost() {
    rate.count(64 * MIB);
    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    assertThat(millisFor(64 * MIB)).isZero();
    assertThat(millisFor(32 * MIB)).isEqualTo(1_000);
  }
}
