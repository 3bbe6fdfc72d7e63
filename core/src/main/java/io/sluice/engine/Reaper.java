package io.sluice.engine;

import io.sluice.Detail;
import io.sluice.Event;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets go of what has had its time: waiting jobs past their own expiry, finished ones past keeping, and
 * batches that nobody ended because whoever ended the last job of them died.
 */
final class Reaper {
  private static final Logger LOG = LoggerFactory.getLogger(Reaper.class);
  private static final int BATCH = 1_000;
  private static final int PORTION = 5_000;
  /** A look at a batch that is not over costs microseconds, and one behind all others must not wait long. */
  private static final int BATCHES = 10_000;

  private static final Duration SETTLE_EVERY = Duration.ofSeconds(1);
  private static final Duration PURGE_EVERY = Duration.ofMinutes(1);

  private final JobStore store;
  private final Duration poll;

  private final Events events;

  Reaper(JobStore store, Duration poll, Events events) {
    this.store = store;
    this.poll = poll;
    this.events = events;
  }

  Duration expire() {
    List<UUID> expired = store.expire(BATCH);
    if (!expired.isEmpty()) {
      LOG.info("{} jobs expired before they were started", expired.size());
    }
    if (events.isHeard()) {
      expired.forEach(this::tell);
    }
    return expired.size() == BATCH ? Duration.ZERO : poll;
  }

  private void tell(UUID id) {
    store
        .find(id, Detail.STATE)
        .ifPresent(job ->
            events.job(Event.Kind.CANCELLED, id, job.lane(), job.attempt(), false, Judge.EXPIRED));
  }

  Duration purge() {
    long purged = store.purge();
    if (purged > 0) {
      LOG.info("{} finished jobs were past their keeping", purged);
    }
    return PURGE_EVERY;
  }

  /** Has more of those go on that wait for one that ended, where very many do. */
  Duration wake() {
    return store.links().wake(PORTION) ? Duration.ZERO : poll;
  }

  Duration settle() {
    return store.links().settle(BATCHES) == BATCHES ? Duration.ZERO : SETTLE_EVERY;
  }
}
