package io.sluice.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** One look at a time, kept for a moment. */
class RecentTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicInteger looks = new AtomicInteger();

  @Test
  void look_isSharedForAMoment() {
    Recent<Integer> recent =
        new Recent<>(looks::incrementAndGet, Duration.ofSeconds(1), nanos::get);
    assertThat(recent.within(LONG)).contains(1);
    assertThat(recent.within(LONG)).contains(1);
    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
    assertThat(recent.within(LONG)).contains(2);
  }

  @Test
  void look_thatDoesNotEnd_isNotStartedTwice_andKeepsNobody() {
    CountDownLatch end = new CountDownLatch(1);
    Recent<Integer> recent = new Recent<>(
        () -> {
          looks.incrementAndGet();
          await(end);
          return 1;
        },
        Duration.ofSeconds(1),
        nanos::get);
    for (int i = 0; i < 3; i++) {
      assertThat(recent.within(Duration.ofMillis(1))).isEmpty();
      nanos.addAndGet(Duration.ofSeconds(2).toNanos());
    }
    end.countDown();
    Eventually.await("the look", () -> recent.within(LONG).isPresent());
    assertThat(looks.get()).isBetween(1, 2);
  }

  @Test
  void look_thatFails_isNothing() {
    Recent<Integer> recent = new Recent<>(
        () -> {
          throw new IllegalStateException("no");
        },
        Duration.ofSeconds(1),
        nanos::get);
    assertThat(recent.within(LONG)).isEmpty();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
