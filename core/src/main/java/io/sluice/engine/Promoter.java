package io.sluice.engine;

import io.sluice.store.JobStore;
import io.sluice.store.Promotion;
import java.time.Duration;

/** Makes due work ready, and sleeps until the next is due. */
final class Promoter {
  private static final int BATCH = 5_000;

  private final JobStore store;
  private final Duration poll;
  private final Runnable onMoved;

  Promoter(JobStore store, Duration poll, Runnable onMoved) {
    this.store = store;
    this.poll = poll;
    this.onMoved = onMoved;
  }

  Duration runOnce() {
    Promotion promotion = store.promote(BATCH);
    if (promotion.moved() > 0) {
      onMoved.run();
    }
    Duration next = promotion.untilNext();
    if (next == null || next.compareTo(poll) > 0) {
      return poll;
    }
    return next.isNegative() ? Duration.ZERO : next;
  }
}
