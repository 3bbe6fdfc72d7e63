package io.sluice.memory;

import io.sluice.store.ClaimRef;
import io.sluice.store.Heartbeat;
import io.sluice.store.LostClaim;
import io.sluice.store.LostWorker;
import io.sluice.store.WorkerRecord;
import io.sluice.store.WorkerSpec;
import io.sluice.store.Workers;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The workers of a memory store. */
final class MemoryWorkers implements Workers {
  private final Access access;

  MemoryWorkers(Access access) {
    this.access = access;
  }

  @Override
  public long register(WorkerSpec spec, Duration lease) {
    return access.with((shelf, now) -> shelf.workers.add(spec, now, now.plus(lease)).id);
  }

  @Override
  public long visit(WorkerSpec spec, Duration lease) {
    return access.with((shelf, now) -> {
      WorkerEntry known = shelf.workers.findVisitor(spec);
      if (known == null) {
        return shelf.workers.add(spec, now, now.plus(lease)).id;
      }
      known.visit(spec, now, now.plus(lease));
      return known.id;
    });
  }

  @Override
  public Heartbeat heartbeat(long id, Duration lease, Collection<ClaimRef> held) {
    return access.with((shelf, now) -> {
      WorkerEntry worker = shelf.workers.find(id);
      boolean alive = worker != null && worker.isLive(now);
      if (worker != null && alive) {
        worker.extend(now, now.plus(lease));
      }
      return new Heartbeat(alive, gone(shelf, id, held));
    });
  }

  private static Set<ClaimRef> gone(Shelf shelf, long worker, Collection<ClaimRef> held) {
    Set<ClaimRef> gone = new HashSet<>();
    for (ClaimRef ref : held) {
      if (ref.worker() != worker || shelf.held(ref) == null) {
        gone.add(ref);
      }
    }
    return gone;
  }

  /**
   * Ends the lease and leaves the entry as long as it holds claims: whoever rescues them must know
   * which types must not run twice.
   */
  @Override
  public void leave(long id) {
    access.with((shelf, now) -> {
      WorkerEntry worker = shelf.workers.find(id);
      if (worker != null && worker.isLive(now)) {
        worker.extend(now, now);
      }
      shelf.workers.forgetIdle(now);
      return id;
    });
  }

  @Override
  public List<LostClaim> held(long id) {
    return access.with((shelf, now) -> {
      WorkerEntry worker = shelf.workers.find(id);
      return worker == null
          ? List.of()
          : worker.held.stream().map(MemoryWorkers::lost).toList();
    });
  }

  @Override
  public List<WorkerRecord> live() {
    return access.with((shelf, now) -> shelf.workers.all().stream()
        .filter(worker -> worker.isLive(now))
        .map(WorkerEntry::asRecord)
        .toList());
  }

  @Override
  public List<LostWorker> lost(int max) {
    return access.with((shelf, now) -> {
      shelf.workers.forgetIdle(now);
      return shelf.workers.all().stream()
          .map(worker -> lost(worker, now))
          .filter(worker -> !worker.claims().isEmpty())
          .limit(max)
          .toList();
    });
  }

  @Override
  public boolean haveLapsed() {
    return access.with((shelf, now) -> shelf.workers.all().stream()
        .flatMap(worker -> worker.held.stream())
        .anyMatch(job -> job.hold != null && job.hold.hasLapsed(now)));
  }

  private static LostWorker lost(WorkerEntry worker, Instant now) {
    List<LostClaim> claims = worker.held.stream()
        .filter(job -> job.hold != null && job.hold.isLost(now))
        .map(MemoryWorkers::lost)
        .toList();
    return new LostWorker(worker.id, worker.spec.name(), worker.spec.fragileTypes(), claims);
  }

  private static LostClaim lost(JobEntry job) {
    boolean alone = job.hold != null && job.hold.alone();
    boolean ownLease = job.hold != null && job.hold.until() != null;
    return new LostClaim(
        job.ref(), job.lane.lane, job.attempt, job.strikes, job.hasStarted(), alone, ownLease);
  }
}
