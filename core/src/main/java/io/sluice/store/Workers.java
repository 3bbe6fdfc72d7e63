package io.sluice.store;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** The workers of a store. */
public interface Workers {
  /**
   * Signs a worker on, with a lease from now, and gives it an id that was never used before: not by this
   * store, nor by the one that it is a copy of.
   */
  long register(WorkerSpec spec, Duration lease);

  /**
   * Signs a remote worker on, or makes the lease of the one with this name, tenant and queue last from
   * now, also when it ran out: its claims have leases of their own. After a failover it gets another id.
   */
  long visit(WorkerSpec spec, Duration lease);

  /**
   * Extends the worker's lease from now, unless it ran out, and says which of these claims it lost. In
   * one write: a claim that is still named as held cannot be rescued before the new end of the lease. After a
   * failover no lease of before is extended: its worker may hold claims that the store has forgotten.
   */
  Heartbeat heartbeat(long worker, Duration lease, Collection<ClaimRef> held);

  /**
   * Signs a worker off. What it still held can be rescued at once, and until then its entry stays: who
   * rescues must know its fragile types.
   */
  void leave(long worker);

  /** Every claim that the store counts as this worker's. */
  List<LostClaim> held(long worker);

  /** The workers whose lease stands. */
  List<WorkerRecord> live();

  /**
   * The workers whose lease ran out and that still hold claims, and claims whose worker has no entry:
   * at most so many workers, each with all such claims. Of claims with a lease of their own those are
   * here where that ran out, and no others, whatever became of the worker. No heartbeat can revive a
   * worker that was shown here, and no extension a claim; they stand until they are finished. Entries
   * of workers that are long gone and hold nothing are cleared away here.
   */
  List<LostWorker> lost(int max);

  /** True when some claim's own lease ran out; a quick look. */
  boolean haveLapsed();
}
