package io.sluice.memory;

import io.sluice.Lane;
import io.sluice.store.Wakeups;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** What one call did that listeners want to know, told once the call has let go of the lock. */
final class Hints {
  private boolean work;
  private boolean later;
  private boolean queues;
  private boolean breakers;
  private final Map<Integer, Lane> ready = new HashMap<>();
  private final List<UUID> cancelled = new ArrayList<>();

  void work() {
    work = true;
  }

  void ready(LaneEntry lane) {
    ready.put(lane.id, lane.lane);
  }

  void later() {
    later = true;
  }

  void queues() {
    queues = true;
  }

  void breakers() {
    breakers = true;
  }

  void cancelled(UUID job) {
    cancelled.add(job);
  }

  boolean isEmpty() {
    return !work && !later && !queues && !breakers && cancelled.isEmpty();
  }

  void tell(Wakeups.Listener listener) {
    if (queues) {
      listener.queues();
    }
    if (breakers) {
      listener.breakers();
    }
    if (!ready.isEmpty() && listener.wantsLanes()) {
      listener.ready(ready);
    }
    if (work) {
      listener.work();
    }
    if (later) {
      listener.later();
    }
    cancelled.forEach(listener::cancelled);
  }
}
