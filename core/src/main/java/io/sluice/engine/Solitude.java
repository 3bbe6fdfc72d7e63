package io.sluice.engine;

import io.sluice.store.ClaimRef;
import io.sluice.store.JobStore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The mark in the store that says which job of this engine runs alone. Whoever starts next takes it
 * off first, whether that job still runs or its end is only on its way to the store. So a worker dies
 * with one such mark at most, and where there is one nobody else was running.
 */
final class Solitude {
  private final JobStore store;
  private final ReentrantLock lock = new ReentrantLock();
  /** The one that has the mark, or may have it: the answer to the note is not there yet, or was lost. */
  private volatile @Nullable ClaimRef marked;

  Solitude(JobStore store) {
    this.store = store;
  }

  /** Notes the start of a job after {@link #end}; false when its claim is over. */
  boolean begin(ClaimRef ref, Unit unit) {
    if (!unit.isAlone()) {
      return store.started(ref, false);
    }
    lock.lock();
    try {
      // Before looking again: whoever joins now either sees this mark or is seen here.
      marked = ref;
      return store.started(ref, unit.isAlone());
    } finally {
      lock.unlock();
    }
  }

  /** Takes the mark off, if there is one. */
  void end() {
    if (marked == null) {
      return;
    }
    lock.lock();
    try {
      ClaimRef ref = marked;
      if (ref != null) {
        store.started(ref, false);
        marked = null;
      }
    } finally {
      lock.unlock();
    }
  }
}
