package io.sluice.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.QueueSettings;
import io.sluice.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class QueueCacheTest {
  private static final Lane LANE = Lane.of("default", "q", "t");

  private final MemoryStore store = MemoryStore.create();
  private final List<Boolean> pausedWhenTold = new ArrayList<>();
  private final QueueCache cache =
      new QueueCache(store.queues(), Duration.ofSeconds(1), this::told);

  private void told() {
    pausedWhenTold.add(cache().of(LANE).paused());
  }

  private QueueCache cache() {
    return cache;
  }

  @Test
  void change_isToldOnce_andAfterItCanBeSeen() {
    store.open();
    store.queues().save(QueueSettings.of("q"));
    cache.runOnce();
    store.queues().pause("default", "q", true);
    cache.runOnce();
    cache.runOnce();
    store.queues().pause("default", "q", false);
    cache.runOnce();
    assertThat(pausedWhenTold).containsExactly(false, true, false);
  }
}
