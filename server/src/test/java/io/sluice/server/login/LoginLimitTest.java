package io.sluice.server.login;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sluice.server.access.TryLater;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** How many log-ins may fail. */
class LoginLimitTest {
  private long now = 1;
  private final LoginLimit limit = new LoginLimit(10, () -> now);

  private TryLater failed(String address) {
    return catchThrowableOfType(TryLater.class, () -> limit.failed(address));
  }

  private void empty(String address) {
    for (int i = 0; i < 10; i++) {
      assertThat(failed(address)).isNull();
    }
  }

  @Test
  void tenFailures_areAnswered_thenOneEverySixSeconds() {
    empty("10.0.0.1");
    assertThat(failed("10.0.0.1").retryAfter()).contains(Duration.ofSeconds(6));
    now += Duration.ofSeconds(2).toNanos();
    assertThat(failed("10.0.0.1").retryAfter()).contains(Duration.ofSeconds(4));
    now += Duration.ofSeconds(4).toNanos();
    assertThat(failed("10.0.0.1")).isNull();
    assertThat(failed("10.0.0.1")).isNotNull();
    assertThat(failed("10.0.0.2")).isNull();
    now += Duration.ofHours(1).toNanos();
    empty("10.0.0.1");
  }

  private boolean isAdmitted(String address) {
    return catchThrowableOfType(TryLater.class, () -> limit.admit(address)) == null;
  }

  @Test
  void addressOverItsLimit_triesOneCredentialASecond() {
    for (int i = 0; i < 10; i++) {
      assertThat(isAdmitted("10.0.0.1")).isTrue();
      assertThat(failed("10.0.0.1")).isNull();
    }
    for (int second = 0; second < 5; second++) {
      int admitted = 0;
      for (int i = 0; i < 1_000; i++) {
        if (isAdmitted("10.0.0.1")) {
          admitted++;
          assertThat(failed("10.0.0.1")).isNotNull();
        }
      }
      assertThat(admitted).isEqualTo(1);
      assertThat(isAdmitted("10.0.0.2")).isTrue();
      now += Duration.ofSeconds(1).toNanos();
    }
    now += Duration.ofMinutes(2).toNanos();
    empty("10.0.0.1");
  }

  @Test
  void addressesOfOneIpv6Network_countAsOne() {
    empty("2001:db8:1:2::1");
    assertThat(failed("2001:db8:1:2:ffff::9")).isNotNull();
    assertThat(failed("2001:db8:1:3::1")).isNull();
    assertThatCode(() -> limit.failed("not::an::address")).doesNotThrowAnyException();
  }

  @Test
  void memory_isBounded_andTheOldestIsForgotten() {
    empty("10.0.0.1");
    for (int i = 0; i < 50_000; i++) {
      limit.failed("11." + (i >> 16) + "." + (i >> 8 & 255) + "." + (i & 255));
    }
    assertThat(limit.size()).isEqualTo(10_000);
    assertThat(failed("10.0.0.1")).isNull();
  }
}
