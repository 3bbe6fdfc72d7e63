package io.sluice.postgres;

import io.sluice.store.Wakeups;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hints to whoever listens: listeners of this process are told at once and directly, other processes
 * by {@link Notifier}, and their hints come in by {@link ListenLoop}.
 */
final class Signals implements Wakeups {
  static final String WORK = "w";
  static final String LATER = "l";
  static final String QUEUES = "q";
  static final String BREAKERS = "b";
  static final String CANCELLED = "c:";

  private static final Logger LOG = LoggerFactory.getLogger(Signals.class);

  /** One listening; an object of its own, so that whoever listens twice ends each by itself. */
  private static final class Entry {
    private final Listener listener;

    Entry(Listener listener) {
      this.listener = listener;
    }
  }

  private final List<Entry> listeners = new CopyOnWriteArrayList<>();
  private final Notifier notifier;
  private final Runnable forgetQueues;

  Signals(Notifier notifier, Runnable forgetQueues) {
    this.notifier = notifier;
    this.forgetQueues = forgetQueues;
  }

  @Override
  public Subscription listen(Listener listener) {
    Entry entry = new Entry(listener);
    listeners.add(entry);
    return () -> listeners.remove(entry);
  }

  /** Tells this process and the others. */
  void tell(String payload) {
    hear(payload);
    notifier.send(payload);
  }

  void cancelled(UUID job) {
    tell(CANCELLED + job);
  }

  /** Tells this process. */
  void hear(String payload) {
    if (payload.equals(QUEUES)) {
      forgetQueues.run();
    }
    for (Entry entry : listeners) {
      try {
        dispatch(entry.listener, payload);
      } catch (RuntimeException e) {
        LOG.warn("A listener failed on '{}'", payload, e);
      }
    }
  }

  private static void dispatch(Listener listener, String payload) {
    switch (payload) {
      case WORK -> listener.work();
      case LATER -> listener.later();
      case QUEUES -> listener.queues();
      case BREAKERS -> listener.breakers();
      default -> {
        if (payload.startsWith(CANCELLED)) {
          listener.cancelled(UUID.fromString(payload.substring(CANCELLED.length())));
        }
      }
    }
  }
}
