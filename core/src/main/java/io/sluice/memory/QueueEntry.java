package io.sluice.memory;

import io.sluice.QueueSettings;
import org.jspecify.annotations.Nullable;

/**
 * A queue: its settings, null once it was removed, and how many unfinished jobs it holds. The number
 * is kept for every queue, so that a cap is exact from the moment it is set.
 */
final class QueueEntry {
  final QueueName name;

  @Nullable
  QueueSettings settings;

  long unfinished;

  QueueEntry(QueueName name) {
    this.name = name;
  }

  boolean isPaused() {
    return settings != null && settings.paused();
  }

  /** The number of jobs the queue may still take. */
  long room() {
    Long cap = settings == null ? null : settings.maxSize();
    return cap == null ? Long.MAX_VALUE : Math.max(0, cap - unfinished);
  }
}
