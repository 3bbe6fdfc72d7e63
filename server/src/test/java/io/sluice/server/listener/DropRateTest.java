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
    return TimeUnit.NANOSECONDS.toMillis(rate.count(bytes));
  }

  @Test
  void oneLargeUpload_doesNotWait() {
    assertThat(millisFor(64 * MIB)).isZero();
  }

  @Test
  void whatComesAfterIt_goesAtTheRate_forAllConnectionsTogether() {
    rate.count(64 * MIB);
    assertThat(millisFor(8 * MIB)).isEqualTo(250);
    assertThat(millisFor(8 * MIB)).isEqualTo(500);
    nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(400));
    assertThat(millisFor(8 * MIB)).isEqualTo(350);
  }

  @Test
  void timeWithoutDrops_isSavedForTwoSecondsAtMost() {
    rate.count(64 * MIB);
    nanos.addAndGet(TimeUnit.HOURS.toNanos(1));
    assertThat(millisFor(64 * MIB)).isZero();
    assertThat(millisFor(32 * MIB)).isEqualTo(1_000);
  }
}
