package io.sluice.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Sluice;
import io.sluice.memory.MemoryStore;
import io.sluice.store.WorkerRecord;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ManualClockTest {
  private final ManualClock clock = new ManualClock();

  @Test
  void standsStill_untilMoved() {
    assertThat(clock.instant()).isEqualTo(ManualClock.START).isEqualTo(clock.instant());
  }

  @Test
  void advance_moves_andShowsWhereTo() {
    assertThat(clock.advance(Duration.ofMinutes(5)))
        .isEqualTo(ManualClock.START.plusSeconds(300))
        .isEqualTo(clock.instant());
  }

  @Test
  void jobForTomorrow_runsWhenItIsTomorrow_andCostsNoLease() {
    MemoryStore store = clock.store();
    try (Sluice sluice = Sluice.builder(store)
        .handler("greet", String.class, (job, context) -> {})
        .build()
        .start()) {
      UUID job =
          sluice.enqueue(Jobs.of("greet", "hello").delay(Duration.ofDays(1))).id();
      long worker = store.workers().live().getFirst().id();
      clock.advance(Duration.ofDays(1).plusSeconds(1));
      Eventually.await(
          "it ran", () -> sluice.find(job).orElseThrow().state() == JobState.COMPLETED);
      assertThat(store.workers().live()).extracting(WorkerRecord::id).containsExactly(worker);
    }
  }

  @Test
  void advance_canGoBack() {
    clock.advance(Duration.ofSeconds(-1));
    assertThat(clock.instant()).isBefore(ManualClock.START);
  }

  @Test
  void set_jumps() {
    clock.set(ManualClock.START.plusSeconds(7));
    assertThat(clock.millis()).isEqualTo(ManualClock.START.toEpochMilli() + 7_000);
  }

  @Test
  void advance_losesNoStep_ofManyThreads() {
    Together.run(8, i -> () -> {
      for (int step = 0; step < 1_000; step++) {
        clock.advance(Duration.ofMillis(1));
      }
      return i;
    });
    assertThat(clock.instant()).isEqualTo(ManualClock.START.plusSeconds(8));
  }
}
