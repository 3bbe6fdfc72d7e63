package io.sluice.engine;

import io.sluice.RemoteClaim;
import io.sluice.store.WorkerSpec;
import io.sluice.store.Workers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** The remote workers that call here. The store is told of each now and then, not at every call. */
final class Visits {
  /** How long a remote worker counts as alive after it was last heard of. */
  private static final Duration ALIVE = Duration.ofMinutes(1);

  private static final long TELL_EVERY = Duration.ofSeconds(15).toNanos();
  private static final int MOST = 10_000;

  private record Visit(long worker, long at) {}

  private final Workers workers;
  private final LongSupplier nanoTime;
  private final Map<WorkerSpec, Visit> visits = new ConcurrentHashMap<>();
  private final Map<Long, Long> heard = new ConcurrentHashMap<>();

  Visits(Workers workers, LongSupplier nanoTime) {
    this.workers = workers;
    this.nanoTime = nanoTime;
  }

  /** The number of the worker that claims. */
  long of(RemoteClaim claim) {
    WorkerSpec spec = WorkerSpec.remote(
        claim.tenant(), claim.queue(), claim.worker(), claim.max(), claim.types());
    long now = nanoTime.getAsLong();
    Visit last = visits.get(spec);
    if (last != null && now - last.at < TELL_EVERY) {
      return last.worker;
    }
    long worker = workers.visit(spec, ALIVE);
    if (visits.size() >= MOST) {
      visits.clear();
    }
    visits.put(spec, new Visit(worker, now));
    return worker;
  }

  /** Notes that a worker said something about a job it holds. */
  void heardOf(long worker) {
    long now = nanoTime.getAsLong();
    Long last = heard.get(worker);
    if (last == null || now - last >= TELL_EVERY) {
      workers.heartbeat(worker, ALIVE, List.of());
      if (heard.size() >= MOST) {
        heard.clear();
      }
      heard.put(worker, now);
    }
  }
}
