package io.sluice.testkit;

import io.sluice.store.ClaimRef;
import io.sluice.store.Heartbeat;
import io.sluice.store.LostClaim;
import io.sluice.store.LostWorker;
import io.sluice.store.WorkerRecord;
import io.sluice.store.WorkerSpec;
import io.sluice.store.Workers;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** The workers of a flaky store. */
record FlakyWorkers(Workers workers, Faults faults) implements Workers {
  @Override
  public long register(WorkerSpec spec, Duration lease) {
    return faults.pass("register", () -> workers.register(spec, lease));
  }

  @Override
  public long visit(WorkerSpec spec, Duration lease) {
    return faults.pass("visit", () -> workers.visit(spec, lease));
  }

  @Override
  public boolean haveLapsed() {
    return faults.pass("haveLapsed", workers::haveLapsed);
  }

  @Override
  public Heartbeat heartbeat(long worker, Duration lease, Collection<ClaimRef> held) {
    return faults.pass("heartbeat", () -> workers.heartbeat(worker, lease, held));
  }

  @Override
  public void leave(long worker) {
    faults.pass("leave", () -> {
      workers.leave(worker);
      return worker;
    });
  }

  @Override
  public List<LostClaim> held(long worker) {
    return faults.pass("held", () -> workers.held(worker));
  }

  @Override
  public List<WorkerRecord> live() {
    return faults.pass("live", workers::live);
  }

  @Override
  public List<LostWorker> lost(int max) {
    return faults.pass("lost", () -> workers.lost(max));
  }
}
