package io.sluice.engine;

import io.sluice.Lane;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/**
 * Lanes in which work came in that nobody has looked at yet. Tenants take turns, and each may have a few here: the
 * lanes of one that has very many are found by the windows, and keep nobody else's waiting.
 */
final class Arrivals {
  static final int MOST_OF_TENANT = 256;

  private final Predicate<Lane> wanted;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Set<Integer>> byTenant = new LinkedHashMap<>();
  private volatile boolean collects;

  /** Arrivals of the lanes that are wanted; the others are not worth a look. */
  Arrivals(Predicate<Lane> wanted) {
    this.wanted = wanted;
  }

  /** True while it is of use to name lanes. */
  boolean collects() {
    return collects;
  }

  void collect(boolean value) {
    if (collects && !value) {
      lock.lock();
      try {
        byTenant.clear();
      } finally {
        lock.unlock();
      }
    }
    collects = value;
  }

  void add(Map<Integer, Lane> lanes) {
    if (!collects) {
      return;
    }
    lock.lock();
    try {
      lanes.forEach((id, lane) -> {
        if (wanted.test(lane)) {
          Set<Integer> ids = byTenant.computeIfAbsent(lane.tenant(), t -> new LinkedHashSet<>());
          if (ids.size() < MOST_OF_TENANT) {
            ids.add(id);
          }
        }
      });
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return byTenant.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Takes at most this many, of all tenants in turn; the rest stays for the next time. */
  Set<Integer> take(int most) {
    Set<Integer> taken = new HashSet<>();
    lock.lock();
    try {
      while (taken.size() < most && !byTenant.isEmpty()) {
        Iterator<Map.Entry<String, Set<Integer>>> tenants = byTenant.entrySet().iterator();
        while (taken.size() < most && tenants.hasNext()) {
          Set<Integer> ids = tenants.next().getValue();
          Iterator<Integer> first = ids.iterator();
          taken.add(first.next());
          first.remove();
          if (ids.isEmpty()) {
            tenants.remove();
          }
        }
      }
    } finally {
      lock.unlock();
    }
    return taken;
  }
}
