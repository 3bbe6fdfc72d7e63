package io.sluice.memory;

import io.sluice.Retention;
import io.sluice.store.QueueRecord;
import org.jspecify.annotations.Nullable;

/**
 * A queue: what is known of it, null once it was removed, and how many unfinished jobs it holds:
 * kept for every queue, so that a cap is exact from the moment it is set.
 */
final class QueueEntry {
  final QueueName name;
  final TenantEntry tenant;

  @Nullable
  QueueRecord made;

  long unfinished;
  long ended;

  QueueEntry(QueueName name, TenantEntry tenant) {
    this.name = name;
    this.tenant = tenant;
  }

  /** Counts a job that is over, or, with -1, one that is so no longer. */
  void ended(int change) {
    ended += change;
    tenant.ended += change;
  }

  boolean isPaused() {
    return made != null && made.settings().paused();
  }

  Retention retention() {
    return made == null ? Retention.DEFAULT : made.settings().retention();
  }

  /** The number of jobs the queue may hold. */
  long most() {
    Long cap = made == null ? null : made.settings().maxSize();
    return cap == null ? Long.MAX_VALUE : cap;
  }

  /** The number of jobs it may still take. */
  long room() {
    return Math.max(0, most() - unfinished);
  }
}
