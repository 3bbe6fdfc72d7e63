package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import io.sluice.store.Strikes;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Keeping the lease, on a store whose calls take as long as a test wants. */
class HeartbeatsTest {
  private static final Duration LENGTH = Duration.ofSeconds(1);

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong callTakes = new AtomicLong();
  private final MemoryStore store = MemoryStore.builder()
      .clock(() -> {
        nanos.addAndGet(callTakes.get());
        return Pieces.NOW;
      })
      .build();
  private final Lease lease = new Lease(LENGTH, nanos::get);
  private final Attempts attempts = new Attempts();
  private final Heartbeats heartbeats = new Heartbeats(
      store.workers(),
      new WorkerSpec("test", 1, Set.of("x"), Set.of()),
      LENGTH,
      lease,
      attempts,
      nanos::get);
  private final Attempt attempt =
      Pieces.attempt(1, Pieces.lane("q", "x"), Pieces.type("x"), Strikes.NONE);

  @BeforeEach
  void signOn() {
    store.open();
    heartbeats.signOn();
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void pass(int millis) {
    nanos.addAndGet(Duration.ofMillis(millis).toNanos());
  }

  @Test
  void beat_renewsFromWhenItWasSent() {
    long worker = lease.worker();
    pass(500);
    callTakes.set(Duration.ofMillis(300).toNanos());
    heartbeats.runOnce();
    assertThat(lease.worker()).isEqualTo(worker);
    pass(399);
    assertThat(lease.mayStart()).isTrue();
    pass(2);
    assertThat(lease.mayStart()).isFalse();
  }

  @Test
  void answerAfterTheLapse_isNotBelieved() {
    long worker = lease.worker();
    attempts.add(attempt);
    pass(500);
    callTakes.set(Duration.ofMillis(600).toNanos());
    heartbeats.runOnce();
    assertThat(lease.worker()).isNotEqualTo(worker);
    assertThat(attempt.over()).isEqualTo(Attempt.Over.LOST);
  }

  @Test
  void lapse_losesEverything_andSignsOnAnew() {
    long worker = lease.worker();
    attempts.add(attempt);
    pass(1_000);
    heartbeats.runOnce();
    assertThat(lease.isHeld()).isTrue();
    assertThat(lease.worker()).isNotEqualTo(worker);
    assertThat(attempt.over()).isEqualTo(Attempt.Over.LOST);
    assertThat(lease.mayStart(attempt.worker())).isFalse();
  }

  @Test
  void claimThatIsGone_endsItsAttemptOnly() {
    long worker = lease.worker();
    attempts.add(attempt);
    heartbeats.runOnce();
    assertThat(attempt.over()).isEqualTo(Attempt.Over.LOST);
    assertThat(lease.worker()).isEqualTo(worker);
  }
}
