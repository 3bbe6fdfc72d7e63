package io.sluice.memory;

import io.sluice.store.WorkerSpec;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The workers that signed on, and those gone ones that still hold claims. */
final class WorkerBook {
  private final Map<Long, WorkerEntry> workers = new LinkedHashMap<>();
  /** Ids are drawn: a store that is opened from an older snapshot must not give those of before again. */
  private final RandomGenerator ids = new SecureRandom();

  WorkerEntry add(WorkerSpec spec, Instant now, Instant leaseUntil) {
    WorkerEntry worker = new WorkerEntry(nextId(), spec, now, leaseUntil);
    workers.put(worker.id, worker);
    return worker;
  }

  /** Positive, and within the 53 bits that JSON promises of a number. */
  private long nextId() {
    return 1 + (ids.nextLong() >>> 12);
  }

  @Nullable
  WorkerEntry find(long id) {
    return workers.get(id);
  }

  /** The remote worker with this name, tenant and queue, its lease standing or not. */
  @Nullable
  WorkerEntry findVisitor(WorkerSpec spec) {
    return workers.values().stream()
        .filter(worker -> worker.isVisitor(spec))
        .findFirst()
        .orElse(null);
  }

  Collection<WorkerEntry> all() {
    return workers.values();
  }

  /** Clears away those whose lease ran out and that hold nothing. */
  void forgetIdle(Instant now) {
    workers.values().removeIf(worker -> !worker.isLive(now) && worker.held.isEmpty());
  }
}
