package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Jobs;
import io.sluice.QueueSettings;
import io.sluice.Sluice;
import io.sluice.WaitingJobs;
import io.sluice.memory.MemoryStore;
import io.sluice.store.ForwardingStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What waits for a tenant or URL group is cancelled in the queues that have some, however many there are. */
class CancelWaitingTest {
  private static final int QUEUES = 200;

  private static final class Counting extends ForwardingStore {
    private final List<@Nullable String> queues = new ArrayList<>();

    Counting() {
      super(MemoryStore.create());
    }

    @Override
    public List<UUID> cancelWaiting(WaitingJobs which, String reason, Duration keepFor, int max) {
      queues.add(which.queue());
      return super.cancelWaiting(which, reason, keepFor, max);
    }
  }

  @Test
  void queuesWithoutJobs_areNotAsked() {
    Counting store = new Counting();
    try (Sluice sluice = Sluice.builder(store).withoutWork().build().start()) {
      for (int i = 0; i < QUEUES; i++) {
        store.queues().save(QueueSettings.of("queue-" + i));
      }
      sluice.enqueue(Jobs.of("work").queue("queue-7"));
      sluice.enqueue(Jobs.of("work").queue("queue-8"));

      assertThat(sluice.cancelWaiting(WaitingJobs.ofTenant("default"), "no")).isEqualTo(2);

      assertThat(store.queues).containsExactlyInAnyOrder("queue-7", "queue-8");
    }
  }
}
