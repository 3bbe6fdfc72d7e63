package io.sluice;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Ids that sort in the order of their making. */
class Uuid7Test {
  private final AtomicLong millis = new AtomicLong(1_900_000_000_000L);
  private final InstantSource clock = () -> Instant.ofEpochMilli(millis.get());
  private final Uuid7 ids = new Uuid7(clock, new SplittableRandom(3));

  private static boolean isBefore(UUID a, UUID b) {
    int high = Long.compareUnsigned(a.getMostSignificantBits(), b.getMostSignificantBits());
    return high < 0;
  }

  @Test
  void ids_carryVersionVariantAndTime() {
    UUID id = ids.next();
    assertThat(id.version()).isEqualTo(7);
    assertThat(id.variant()).isEqualTo(2);
    assertThat(id.getMostSignificantBits() >>> 16).isEqualTo(millis.get());
  }

  @Test
  void ids_grow_withinAMillisecond_beyondItsCounter_andWhenTheClockStepsBack() {
    UUID last = ids.next();
    for (int i = 0; i < 10_000; i++) {
      if (i == 9_000) {
        millis.addAndGet(-60_000);
      }
      UUID next = ids.next();
      assertThat(isBefore(last, next)).isTrue();
      assertThat(next.version()).isEqualTo(7);
      last = next;
    }
    millis.addAndGet(120_000);
    assertThat(isBefore(last, ids.next())).isTrue();
  }

  @Test
  void ids_areUnique_amongManyThreads() throws InterruptedException {
    Uuid7 shared = Uuid7.seeded(clock, new SplittableRandom(5));
    Set<UUID> seen = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      threads.add(Thread.ofVirtual().start(() -> {
        for (int i = 0; i < 5_000; i++) {
          seen.add(shared.next());
        }
      }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(seen).hasSize(80_000);
  }

  @Test
  void ids_ofTwoProcesses_differ() {
    Uuid7 one = new Uuid7(clock, new SplittableRandom(1));
    Uuid7 two = new Uuid7(clock, new SplittableRandom(2));
    assertThat(one.next()).isNotEqualTo(two.next());
  }
}
