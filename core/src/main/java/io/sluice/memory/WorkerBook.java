package io.sluice.memory;

import io.sluice.store.WorkerSpec;
import java.time.Instant;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The workers that signed on, and those gone ones that still hold claims. */
final class WorkerBook {
  private final Map<Long, WorkerEntry> workers = new LinkedHashMap<>();
  private long lastId;

  long lastId() {
    return lastId;
  }

  void startAfter(long id) {
    lastId = id;
  }

  WorkerEntry add(WorkerSpec spec, Instant now, Instant leaseUntil) {
    WorkerEntry worker = new WorkerEntry(++lastId, spec, now, leaseUntil);
    workers.put(worker.id, worker);
    return worker;
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
