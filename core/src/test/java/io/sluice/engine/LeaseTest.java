package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** An engine's own view of its lease. */
class LeaseTest {
  private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
  private final Lease lease = new Lease(Duration.ofSeconds(10), now::get);

  private void pass(int seconds) {
    now.addAndGet(Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  void lease_endsForStartsAtSevenTenths_andForAllAtItsEnd() {
    assertThat(lease.mayStart()).isFalse();
    assertThat(lease.hasLapsed()).isFalse();
    lease.granted(3, now.get());
    pass(6);
    assertThat(lease.mayStart(3)).isTrue();
    assertThat(lease.mayStart(2)).as("a former self").isFalse();
    pass(1);
    assertThat(lease.mayStart()).isFalse();
    assertThat(lease.hasLapsed()).isFalse();
    pass(3);
    assertThat(lease.hasLapsed()).isTrue();
    lease.lost();
    assertThat(lease.hasLapsed()).isFalse();
    assertThat(lease.isHeld()).isFalse();
  }

  @Test
  void lease_countsFromWhenTheHeartbeatWasSent() {
    long sent = now.get();
    pass(8);
    lease.granted(3, sent);
    assertThat(lease.mayStart()).isFalse();
  }
}
