package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
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
  void urlGroupThatHangs_leavesRoomToOthers_andGoesOnWhenItAnswers() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    Semaphore hanging = new Semaphore(0);
    BlockingQueue<String> ran = new LinkedBlockingQueue<>();
    try (Sluice sluice = Sluice.builder(MemoryStore.create())
        .slots(4)
        .urlGroupSlots(2)
        .poll(Duration.ofMinutes(5))
        .handler("t", Object.class, (job, context) -> {
          if (job.lane().urlGroup().equals("hangs")) {
            hanging.release();
            answer.await();
          }
          ran.add(job.lane().urlGroup());
        })
        .build()
        .start()) {
      for (int i = 0; i < 10; i++) {
        sluice.enqueue(Jobs.of("t", "x").urlGroup("hangs"));
      }
      assertThat(hanging.tryAcquire(2, 20, TimeUnit.SECONDS)).isTrue();
      for (int i = 0; i < 10; i++) {
        sluice.enqueue(Jobs.of("t", "x").urlGroup("well"));
        assertThat(ran.poll(20, TimeUnit.SECONDS)).isEqualTo("well");
      }
      assertThat(hanging.availablePermits()).as("more that hang").isZero();
      answer.countDown();
      for (int i = 0; i < 10; i++) {
        assertThat(ran.poll(20, TimeUnit.SECONDS)).isEqualTo("hangs");
      }
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
