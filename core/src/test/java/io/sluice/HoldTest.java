package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Lanes that the host holds back. */
class HoldTest {
  @Test
  void heldLane_isNotClaimed_untilItIsHeldNoMore() throws InterruptedException {
    Set<String> held = ConcurrentHashMap.newKeySet();
    held.add("held");
    BlockingQueue<String> ran = new LinkedBlockingQueue<>();
    try (Sluice sluice = Sluice.builder(MemoryStore.create())
        .poll(Duration.ofMillis(20))
        .handler("t", Object.class, (job, context) -> ran.add(job.lane().tenant()))
        .hold(lane -> held.contains(lane.tenant()))
        .build()
        .start()) {
      sluice.enqueue(Jobs.of("t", "x").tenant("held"));
      sluice.enqueue(Jobs.of("t", "x").tenant("free"));
      assertThat(ran.poll(20, TimeUnit.SECONDS)).isEqualTo("free");
      assertThat(ran).isEmpty();
      held.clear();
      assertThat(ran.poll(20, TimeUnit.SECONDS)).isEqualTo("held");
    }
  }

  @Test
  void heldLane_isNotGivenToRemoteWorkers_untilItIsHeldNoMore() {
    Set<String> held = ConcurrentHashMap.newKeySet();
    held.add("held");
    try (Sluice sluice = Sluice.builder(MemoryStore.create())
        .hold(lane -> held.contains(lane.tenant()))
        .build()
        .start()) {
      sluice.enqueue(Jobs.of("t", "x").tenant("held"));
      RemoteClaim claim = new RemoteClaim(
          "held", "default", "w", Set.of("t"), 1, Duration.ofSeconds(30), Duration.ZERO);
      assertThat(sluice.remote().claim(claim)).isEmpty();
      held.clear();
      assertThat(sluice.remote().claim(claim)).hasSize(1);
    }
  }
}
