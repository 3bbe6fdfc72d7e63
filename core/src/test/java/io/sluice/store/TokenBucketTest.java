package io.sluice.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.RateLimit;
import io.sluice.RateLimit.Per;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  private static Instant in(long millis) {
    return NOW.plusMillis(millis);
  }

  @Test
  void start_isAtOnceForTheBurst_andThenOneIntervalApart() {
    RateLimit rate = new RateLimit(10, 3);
    TokenBucket bucket = TokenBucket.full(rate, NOW);
    List<Instant> starts = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      Instant start = bucket.start(rate, 1, NOW);
      starts.add(start);
      bucket = bucket.charged(1, start);
    }
    assertThat(starts).containsExactly(NOW, NOW, NOW, in(100), in(200), in(300));
    assertThat(bucket.spent(NOW)).isEqualTo(6);
    assertThat(bucket.goodAt()).isEqualTo(in(600));
  }

  @Test
  void start_ofACostlyJob_waitsForItsTokens_butNotForMoreThanTheBurst() {
    RateLimit rate = new RateLimit(10, 4);
    TokenBucket bucket = TokenBucket.full(rate, NOW).charged(2, NOW);
    assertThat(bucket.start(rate, 2, NOW)).isEqualTo(NOW);
    assertThat(bucket.start(rate, 3, NOW)).isEqualTo(in(100));
    assertThat(bucket.start(rate, 1_000, NOW)).isEqualTo(in(200));
  }

  @Test
  void charge_atALaterStart_leavesNothingFreeBefore() {
    RateLimit rate = new RateLimit(10, 1);
    TokenBucket bucket = TokenBucket.full(rate, NOW).charged(1, in(500));
    assertThat(bucket.start(rate, 1, NOW)).isEqualTo(in(600));
  }

  @Test
  void use_isNoMoreThanItWas_whenTheClockIsSetBack() {
    RateLimit rate = new RateLimit(10, 10);
    TokenBucket bucket = TokenBucket.full(rate, NOW).charged(25, NOW);
    Instant before = NOW.minusSeconds(3600);
    TokenBucket back = bucket.under(rate, before);
    assertThat(back.spent(before)).isEqualTo(25);
    assertThat(back.start(rate, 1, before)).isEqualTo(before.plusMillis(1_600));
    assertThat(bucket.under(rate, NOW.minusMillis(1)).spent(NOW.minusMillis(1))).isEqualTo(25);
    assertThat(bucket.under(rate, in(500)).spent(in(500))).isEqualTo(20);
  }

  @Test
  void fits_isHowManyStartsThereAre() {
    RateLimit rate = new RateLimit(10, 3);
    TokenBucket bucket = TokenBucket.full(rate, NOW);
    assertThat(bucket.fits(rate, 1, NOW, Duration.ZERO)).isEqualTo(3);
    assertThat(bucket.fits(rate, 1, NOW, Duration.ofMillis(250))).isEqualTo(5);
    assertThat(bucket.fits(rate, 2, NOW, Duration.ZERO)).isEqualTo(2);
    TokenBucket used = bucket.charged(3, NOW);
    assertThat(used.fits(rate, 1, NOW, Duration.ofMillis(99))).isZero();
    assertThat(used.fits(rate, 1, NOW, Duration.ofMillis(100))).isEqualTo(1);
    assertThat(used.fits(rate, 1, in(10_000), Duration.ZERO)).isEqualTo(3);
  }

  @Test
  void anotherRate_leavesUsedWhatWasUsed() {
    TokenBucket bucket = TokenBucket.full(new RateLimit(1, Per.HOUR, 2), NOW).charged(2, NOW);
    TokenBucket faster = bucket.under(new RateLimit(10, 2), NOW);
    assertThat(faster.spent(NOW)).isEqualTo(2);
    assertThat(faster.goodAt()).isEqualTo(in(200));
    assertThat(faster.under(new RateLimit(10, 9), NOW)).isSameAs(faster);
  }

  @Test
  void absurdNumbers_stayWithinTime() {
    RateLimit slow = new RateLimit(1e-9, Per.HOUR, Integer.MAX_VALUE);
    TokenBucket bucket =
        TokenBucket.full(slow, NOW).charged(Integer.MAX_VALUE, NOW).charged(Integer.MAX_VALUE, NOW);
    assertThat(bucket.start(slow, 1, NOW)).isAfterOrEqualTo(NOW);
    assertThat(bucket.fits(slow, 1, NOW, Duration.ofDays(1_000_000))).isPositive();
    RateLimit fast = new RateLimit(1e9, 1);
    assertThat(TokenBucket.full(fast, NOW).charged(1, NOW).start(fast, 1, NOW)).isEqualTo(NOW);
  }

  /** Whatever the costs, and however claims are spread in time, no window has more than it may. */
  @Test
  void startsOfAnyWindow_areWithinBurstAndRate() {
    SplittableRandom random = new SplittableRandom(3);
    RateLimit rate = new RateLimit(20, 7);
    TokenBucket bucket = TokenBucket.full(rate, NOW);
    Instant now = NOW;
    List<Instant> starts = new ArrayList<>();
    List<Integer> costs = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      now = now.plusMillis(random.nextInt(120));
      int cost = 1 + random.nextInt(7);
      Instant start = bucket.start(rate, cost, now);
      bucket = bucket.charged(cost, start);
      starts.add(start);
      costs.add(cost);
    }
    assertThat(starts).isSorted();
    for (int from = 0; from < starts.size(); from++) {
      int sum = 0;
      for (int to = from; to < starts.size(); to++) {
        sum += costs.get(to);
        double seconds = Duration.between(starts.get(from), starts.get(to)).toNanos() / 1e9;
        assertThat((double) sum).isLessThanOrEqualTo(7 + 20 * seconds + 1e-6);
      }
    }
  }
}
