package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Stats;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

/** Figures of what was done. */
class MeterTest {
  private final AtomicLong now = new AtomicLong(-5_000_000_000L);
  private final Meter meter = new Meter(now::get);

  private static void about(Duration is, Duration expected) {
    assertThat(is.toNanos()).isCloseTo(expected.toNanos(), Percentage.withPercentage(16));
  }

  @Test
  void quantiles_areWithinABucketOfTheTruth() {
    for (int millis = 1; millis <= 1000; millis++) {
      meter.completed(TimeUnit.MILLISECONDS.toNanos(millis));
    }
    Stats.Work work = meter.snapshot(3);
    about(work.p95(), Duration.ofMillis(950));
    about(work.p99(), Duration.ofMillis(990));
    assertThat(work.mean()).isEqualTo(Duration.ofNanos(500_500_000));
    assertThat(work.running()).isEqualTo(3);
  }

  @Test
  void nothing_isZero_andExtremesFit() {
    assertThat(meter.snapshot(0).p99()).isZero();
    assertThat(meter.snapshot(0).retryRate()).isZero();
    meter.completed(0);
    meter.completed(Long.MAX_VALUE / 4);
    assertThat(meter.snapshot(0).p99()).isPositive();
  }

  @Test
  void totals_stay_andTimesAreForgottenAfterFiveMinutes() {
    meter.failed(1_000_000, true, false);
    meter.failed(1_000_000, false, true);
    meter.completed(1_000_000);
    assertThat(meter.snapshot(0).retryRate()).isBetween(0.33, 0.34);
    now.addAndGet(Duration.ofSeconds(151).toNanos());
    assertThat(meter.snapshot(0).retryRate()).as("the older half").isBetween(0.33, 0.34);
    now.addAndGet(Duration.ofSeconds(151).toNanos());
    Stats.Work work = meter.snapshot(0);
    assertThat(work.retryRate()).isZero();
    assertThat(work.processed()).isEqualTo(3);
    assertThat(work.failed()).isEqualTo(2);
    assertThat(work.dead()).isEqualTo(1);
  }
}
