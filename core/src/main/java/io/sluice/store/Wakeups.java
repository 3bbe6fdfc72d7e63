package io.sluice.store;

import io.sluice.Lane;
import java.util.Map;
import java.util.UUID;

/** Hints that something happened. They may be lost: whoever listens also looks by itself in time. */
public interface Wakeups {
  /** What a listener is told. Calls come from a thread of the store and must return at once. */
  interface Listener {
    /** There is ready work, or more of it may run because a job under a limit has ended. */
    void work();

    /**
     * There is ready work in these lanes, by their numbers, which may have had none before; {@link #work}
     * follows. Not every lane is named.
     */
    default void ready(Map<Integer, Lane> lanes) {}

    /** True while it is of use to name the lanes. */
    default boolean wantsLanes() {
      return false;
    }

    /** There is work for later that may be due sooner than what was there. */
    void later();

    /** A running job was cancelled. */
    void cancelled(UUID job);

    /** The settings of a queue, or a limit, changed. */
    void queues();

    /** A breaker changed its state or its settings. */
    default void breakers() {}
  }

  /** Listens until the answer is closed. */
  Subscription listen(Listener listener);

  /** An end of listening. */
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }
}
