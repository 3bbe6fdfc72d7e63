package io.sluice.engine;

import io.sluice.store.JobStore;
import io.sluice.store.Promotion;
import java.time.Duration;

/**
 * Makes due work ready, and sleeps until the next is due. Work that is due and cannot be moved, because
 * somebody's transaction holds it, is looked at again after a pause that doubles up to the poll.
 */
final class Promoter {
  private static final int BATCH = 5_000;
  private static final Duration SHORTEST_PAUSE = Duration.ofMillis(20);

  private final JobStore store;
  private final Duration poll;
  private final Runnable onMoved;
  private Duration pause = SHORTEST_PAUSE;

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
    Duration sleep = next == null ? poll : shorter(next, poll);
    if (promotion.held()) {
      sleep = shorter(sleep, pause);
      pause = shorter(pause.multipliedBy(2), poll);
    } else {
      pause = SHORTEST_PAUSE;
    }
    return sleep.isNegative() ? Duration.ZERO : sleep;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
