package io.sluice.postgres;

import io.sluice.Lane;
import io.sluice.store.Wakeups;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
  static final String READY = "r:";

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
  private final Catalog catalog;

  Signals(Notifier notifier, Catalog catalog) {
    this.notifier = notifier;
    this.catalog = catalog;
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

  /** Names lanes in which there is ready work, before it is announced. */
  void ready(Set<Integer> lanes) {
    if (!lanes.isEmpty()) {
      hear(lanes);
      notifier.send(lanes);
    }
  }

  private void hear(Set<Integer> lanes) {
    Map<Integer, Lane> named = Map.of();
    for (Entry entry : listeners) {
      try {
        if (entry.listener.wantsLanes()) {
          named = named.isEmpty() ? catalog.named(lanes) : named;
          entry.listener.ready(named);
        }
      } catch (RuntimeException e) {
        LOG.warn("A listener failed on lanes with work", e);
      }
    }
  }

  void cancelled(UUID job) {
    tell(CANCELLED + job);
  }

  /** Tells this process. */
  void hear(String payload) {
    if (payload.startsWith(READY)) {
      hearOfLanes(payload);
      return;
    }
    if (payload.equals(QUEUES)) {
      catalog.forgetQueues();
    }
    for (Entry entry : listeners) {
      try {
        dispatch(entry.listener, payload);
      } catch (RuntimeException e) {
        LOG.warn("A listener failed on '{}'", payload, e);
      }
    }
  }

  /** Lanes that another process names may be new to this one. */
  private void hearOfLanes(String payload) {
    if (listeners.stream().noneMatch(entry -> entry.listener.wantsLanes())) {
      return;
    }
    try {
      Set<Integer> lanes = Notifier.lanesOf(payload);
      catalog.lanes(lanes);
      hear(lanes);
    } catch (RuntimeException e) {
      LOG.debug("Lanes that were named are not looked at; they are found in time", e);
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
