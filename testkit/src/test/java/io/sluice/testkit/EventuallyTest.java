package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventuallyTest {
  @Test
  void await_returns_onceTheConditionHolds() {
    AtomicInteger looks = new AtomicInteger();
    Eventually.await("three looks", () -> looks.incrementAndGet() == 3);
    assertThat(looks).hasValue(3);
  }

  @Test
  void await_names_whatDidNotHappen() {
    assertThatThrownBy(() -> Eventually.await("pigs fly", Duration.ZERO, () -> false))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("pigs fly");
  }
}
