package io.sluice.memory;

import io.sluice.store.Wakeups;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners, called by the thread that changed something. */
final class MemoryWakeups implements Wakeups {
  private static final Logger LOG = LoggerFactory.getLogger(MemoryWakeups.class);

  /** One act of listening; the same listener may listen twice. */
  private record Ear(Listener listener, Object identity) {}

  private final List<Ear> ears = new CopyOnWriteArrayList<>();

  @Override
  public Subscription listen(Listener listener) {
    Ear ear = new Ear(listener, new Object());
    ears.add(ear);
    return () -> ears.remove(ear);
  }

  void tell(Hints hints) {
    if (hints.isEmpty()) {
      return;
    }
    for (Ear ear : ears) {
      try {
        hints.tell(ear.listener());
      } catch (RuntimeException e) {
        // The write is done: a listener's trouble must not look like a failed write to its caller.
        LOG.warn("A listener failed on a wake-up", e);
      }
    }
  }

  void clear() {
    ears.clear();
  }
}
