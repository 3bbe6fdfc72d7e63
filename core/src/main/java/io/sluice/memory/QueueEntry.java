package io.sluice.memory;

import io.sluice.store.QueueRecord;
import org.jspecify.annotations.Nullable;

/**
 * A queue: what is known of it, null once it was removed, and how many unfinished jobs it holds:
 * kept for every queue, so that a cap is exact from the moment it is set.
 */
final class QueueEntry {
  final QueueName name;

  @Nullable
  QueueRecord made;

  long unfinished;

  QueueEntry(QueueName name) {
    this.name = name;
  }

  boolean isPaused() {
    return made != null && made.settings().paused();
  }

  /** The number of jobs the queue may still take. */
  long room() {
    Long cap = made == null ? null : made.settings().maxSize();
    return cap == null ? Long.MAX_VALUE : Math.max(0, cap - unfinished);
  }
}
