package io.sluice.engine;

import io.sluice.Defaults;
import io.sluice.store.JobStore;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Lets go of what has had its time: waiting jobs past their own expiry, finished ones past keeping. */
final class Reaper {
  private static final Logger LOG = LoggerFactory.getLogger(Reaper.class);
  private static final int BATCH = 1_000;
  private static final Duration PURGE_EVERY = Duration.ofMinutes(1);

  private final JobStore store;
  private final Duration poll;

  Reaper(JobStore store, Duration poll) {
    this.store = store;
    this.poll = poll;
  }

  Duration expire() {
    int expired = store.expire(BATCH, Defaults.KEEP_DEAD).size();
    if (expired > 0) {
      LOG.info("{} jobs expired before they were started", expired);
    }
    return expired == BATCH ? Duration.ZERO : poll;
  }

  Duration purge() {
    long purged = store.purge();
    if (purged > 0) {
      LOG.info("{} finished jobs were past their keeping", purged);
    }
    return PURGE_EVERY;
  }
}
