package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The delays between attempts, to the millisecond. */
class RetryPolicyTest {
  private static final RandomGenerator RANDOM = new SplittableRandom(1);
  private static final RetryPolicy PLAIN = Defaults.RETRY.withJitter(0).withMaxAttempts(20);

  private static List<Long> seconds(RetryPolicy policy, int attempts) {
    List<Long> seconds = new ArrayList<>();
    for (int i = 1; i <= attempts; i++) {
      seconds.add(policy.delayAfter(i, ErrorClass.NETWORK, RANDOM).orElseThrow().toSeconds());
    }
    return seconds;
  }

  @Test
  void exponential_doubles_upToItsCap() {
    assertThat(seconds(PLAIN, 8)).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L);
  }

  @Test
  void linear_growsByItsFirstDelay_upToItsCap() {
    RetryPolicy linear = PLAIN
        .withStrategy(RetryStrategy.LINEAR)
        .withDelays(Duration.ofSeconds(20), 2, Duration.ofSeconds(60));
    assertThat(seconds(linear, 5)).containsExactly(20L, 40L, 60L, 60L, 60L);
  }

  @Test
  void immediate_hasNoDelay_andNone_noFurtherAttempt() {
    RetryPolicy immediate = PLAIN.withStrategy(RetryStrategy.IMMEDIATE);
    assertThat(immediate.delayAfter(1, ErrorClass.NETWORK, RANDOM)).contains(Duration.ZERO);
    assertThat(PLAIN.withStrategy(RetryStrategy.NONE).delayAfter(1, ErrorClass.NETWORK, RANDOM))
        .isEmpty();
    assertThat(RetryPolicy.none().delayAfter(1, ErrorClass.NETWORK, RANDOM)).isEmpty();
  }

  @Test
  void lastAttempt_isNotFollowed() {
    RetryPolicy three = PLAIN.withMaxAttempts(3);
    assertThat(three.delayAfter(2, ErrorClass.UNKNOWN, RANDOM)).isPresent();
    assertThat(three.delayAfter(3, ErrorClass.UNKNOWN, RANDOM)).isEmpty();
  }

  @Test
  void hugeAttemptsAndDelays_doNotOverflow() {
    RetryPolicy most = new RetryPolicy(
        Short.MAX_VALUE,
        RetryStrategy.EXPONENTIAL,
        Duration.ofDays(3650),
        100,
        Duration.ofDays(3650),
        1,
        java.util.Map.of());
    for (int attempt : List.of(1, 2, 1_000, 32_766)) {
      Duration delay = most.delayAfter(attempt, ErrorClass.NETWORK, RANDOM).orElseThrow();
      assertThat(delay).isBetween(Duration.ZERO, Duration.ofDays(7300));
    }
    assertThatThrownBy(() -> PLAIN.withDelays(Duration.ofSeconds(Long.MAX_VALUE), 2, Duration.ZERO))
        .hasMessageContaining("retry.initialDelay");
    assertThatThrownBy(() -> PLAIN.withDelays(Duration.ZERO, 2, Duration.ofSeconds(Long.MAX_VALUE)))
        .hasMessageContaining("retry.maxDelay");
  }

  @Test
  void jitter_staysWithinItsShare_andVaries() {
    RetryPolicy jittered = PLAIN.withJitter(0.1);
    List<Duration> delays = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      delays.add(jittered.delayAfter(4, ErrorClass.NETWORK, RANDOM).orElseThrow());
    }
    assertThat(delays).allMatch(d -> d.toMillis() >= 7_200 && d.toMillis() <= 8_800);
    assertThat(delays.stream().distinct().count()).isGreaterThan(100);
  }

  @Test
  void classesThatAreNotRetried_areWhenNamed() {
    for (ErrorClass errorClass : ErrorClass.values()) {
      assertThat(PLAIN.delayAfter(1, errorClass, RANDOM).isPresent())
          .isEqualTo(errorClass.isRetried());
    }
    RetryPolicy named = PLAIN.on(ErrorClass.AUTH, p -> p.withMaxAttempts(2));
    assertThat(named.delayAfter(1, ErrorClass.AUTH, RANDOM)).contains(Duration.ofSeconds(1));
    assertThat(named.delayAfter(2, ErrorClass.AUTH, RANDOM)).isEmpty();
    assertThat(named.delayAfter(2, ErrorClass.NETWORK, RANDOM)).contains(Duration.ofSeconds(2));
  }

  @Test
  void policyOfAClass_mayForbidRetries() {
    RetryPolicy policy = PLAIN.on(ErrorClass.NETWORK, p -> p.withStrategy(RetryStrategy.NONE));
    assertThat(policy.delayAfter(1, ErrorClass.NETWORK, RANDOM)).isEqualTo(Optional.empty());
    assertThat(policy.delayAfter(1, ErrorClass.SERVER, RANDOM)).isPresent();
  }

  @Test
  void nonsense_isRefused() {
    assertThatThrownBy(() -> PLAIN.withMaxAttempts(0)).hasMessageContaining("maxAttempts");
    assertThatThrownBy(() -> PLAIN.withJitter(1.1)).hasMessageContaining("jitter");
    assertThatThrownBy(() -> PLAIN.withDelays(Duration.ZERO, 0.5, Duration.ZERO))
        .hasMessageContaining("multiplier");
    assertThatThrownBy(() -> PLAIN.withDelays(Duration.ZERO, Double.NaN, Duration.ZERO))
        .hasMessageContaining("multiplier");
  }
}
