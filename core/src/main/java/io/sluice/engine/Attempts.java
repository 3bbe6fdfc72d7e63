package io.sluice.engine;

import io.sluice.store.ClaimRef;
import java.util.Collection;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** All attempts in this engine's hands. */
final class Attempts {
  private final ConcurrentMap<UUID, Attempt> byJob = new ConcurrentHashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition empty = lock.newCondition();
  private volatile boolean awaited;

  void add(Attempt attempt) {
    byJob.put(attempt.ref().job(), attempt);
  }

  void remove(Attempt attempt) {
    byJob.remove(attempt.ref().job(), attempt);
    if (awaited && byJob.isEmpty()) {
      lock.lock();
      try {
        empty.signalAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** Waits until all attempts have ended and are written, at most so long; true when they are. */
  boolean awaitEmpty(long nanos) throws InterruptedException {
    lock.lock();
    try {
      awaited = true;
      long left = nanos;
      while (!byJob.isEmpty() && left > 0) {
        left = empty.awaitNanos(left);
      }
      return byJob.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  Optional<Attempt> find(UUID job) {
    return Optional.ofNullable(byJob.get(job));
  }

  Optional<Attempt> find(ClaimRef ref) {
    return find(ref.job()).filter(a -> a.ref().equals(ref));
  }

  Collection<Attempt> all() {
    return byJob.values();
  }

  Collection<ClaimRef> refs() {
    return byJob.values().stream().map(Attempt::ref).toList();
  }
}
