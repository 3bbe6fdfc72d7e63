package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Defaults;
import io.sluice.Fullness;
import io.sluice.JobSpec;
import io.sluice.Lane;
import io.sluice.Level;
import io.sluice.Marks;
import io.sluice.Metadata;
import io.sluice.Overflow;
import io.sluice.Priority;
import io.sluice.QueueSettings;
import io.sluice.Uuid7;
import io.sluice.When;
import io.sluice.memory.MemoryStore;
import io.sluice.store.NewJob;
import io.sluice.store.TenantCap;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When a full queue is worth another try, by how fast its jobs ended; on a clock of the test's own. */
class PressureTest {
  private final Uuid7 ids = new Uuid7(InstantSource.system(), new SplittableRandom(5));
  private final MemoryStore store = MemoryStore.create();
  private final Deque<UUID> waiting = new ArrayDeque<>();
  private Duration time = Duration.ZERO;
  private final Pressure pressure =
      new Pressure(store, new Events(InstantSource.system()), Marks.DEFAULT, () -> time.toNanos());

  @BeforeEach
  void fill() {
    store.open();
    store.queues().save(QueueSettings.of("q").withMaxSize(1_000L));
    store.queues().capTenant("default", TenantCap.of(2_000));
    add(1_000);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void add(int jobs) {
    JobSpec spec = new JobSpec("1", Priority.NORMAL, null, null, null, null, Metadata.NONE);
    for (int i = 0; i < jobs; i++) {
      NewJob job = new NewJob(ids.next(), Lane.of("default", "q", "t"), spec, When.now(), false);
      store.insert(List.of(job));
      waiting.add(job.id());
    }
  }

  private void end(int jobs) {
    for (int i = 0; i < jobs; i++) {
      store.cancel(waiting.remove(), "over", Duration.ofHours(1));
    }
  }

  /** Ends so many a second, which are replaced at once: the size stays the same. */
  private void run(int seconds, int perSecond) {
    for (int i = 0; i < seconds; i++) {
      pressure.look(Duration.ZERO);
      time = time.plusSeconds(1);
      end(perSecond);
      add(perSecond);
    }
    pressure.look(Duration.ZERO);
  }

  private Duration untilRoomFor(long jobs) {
    return pressure.untilRoom(new Overflow("default", "q", 1_000, 1_000, jobs));
  }

  @Test
  void wait_isTheDefault_whereNothingIsKnown() {
    assertThat(untilRoomFor(1)).isEqualTo(Defaults.RETRY_WHEN_FULL);
    pressure.look(Duration.ZERO);
    assertThat(untilRoomFor(1)).isEqualTo(Defaults.RETRY_WHEN_FULL);
    run(5, 0);
    assertThat(untilRoomFor(1)).as("nothing ends").isEqualTo(Defaults.RETRY_WHEN_FULL);
    assertThat(pressure.untilRoom(new Overflow("other", "q", 1, 1, 1)))
        .isEqualTo(Defaults.RETRY_WHEN_FULL);
  }

  @Test
  void wait_isByTheRateOfEnds_thoughTheQueueStaysFull() {
    run(10, 2);
    assertThat(untilRoomFor(10)).isEqualTo(Duration.ofSeconds(5));
    assertThat(untilRoomFor(7)).isEqualTo(Duration.ofMillis(3_500));
    assertThat(pressure.untilRoom(new Overflow("default", null, 2_000, 2_000, 4)))
        .as("of the tenant")
        .isEqualTo(Duration.ofSeconds(2));
    assertThat(pressure.untilRoom(new Overflow("default", "q", 1_020, 1_000, 10)))
        .as("of what is beyond its size")
        .isEqualTo(Duration.ofSeconds(15));
  }

  @Test
  void wait_isASecondAtLeast_andFiveMinutesAtMost() {
    run(3, 100);
    assertThat(untilRoomFor(1)).isEqualTo(Duration.ofSeconds(1));
    assertThat(untilRoomFor(1_000)).isEqualTo(Duration.ofSeconds(10));
    assertThat(untilRoomFor(1_001)).as("never").isEqualTo(Duration.ofMinutes(5));
    run(29, 0);
    assertThat(untilRoomFor(1_000)).isLessThanOrEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void rate_isThatOfTheLastHalfMinute() {
    run(10, 10);
    run(31, 1);
    assertThat(untilRoomFor(10)).isEqualTo(Duration.ofSeconds(10));
  }

  @Test
  void rate_startsAnew_whenMoreIsReplayedThanEnds() {
    UUID job = waiting.peek();
    run(2, 1);
    store.replay(job);
    time = time.plusSeconds(1);
    pressure.look(Duration.ZERO);
    assertThat(untilRoomFor(1)).isEqualTo(Defaults.RETRY_WHEN_FULL);
    time = time.plusSeconds(1);
    end(1);
    pressure.look(Duration.ZERO);
    assertThat(untilRoomFor(2)).isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void fullness_isThatOfTheLastLook() {
    assertThat(pressure.fullness()).isEmpty();
    run(1, 3);
    assertThat(pressure.fullness())
        .containsExactlyInAnyOrder(
            new Fullness("default", "q", Level.FULL, 1_000, 1_000, 3),
            new Fullness("default", null, Level.WARNING, 1_000, 2_000, 3));
    store.queues().capTenant("default", null);
    pressure.look(Duration.ZERO);
    assertThat(pressure.fullness()).extracting(Fullness::queue).containsExactly("q");
  }
}
