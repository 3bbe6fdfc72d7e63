package io.sluice.memory;

import io.sluice.store.WorkerRecord;
import io.sluice.store.WorkerSpec;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;

/** A worker with its lease and the jobs it holds. */
final class WorkerEntry {
  final long id;
  final WorkerSpec spec;
  final Set<JobEntry> held = new LinkedHashSet<>();
  private final Instant startedAt;
  private Instant seenAt;
  private Instant leaseUntil;

  WorkerEntry(long id, WorkerSpec spec, Instant now, Instant leaseUntil) {
    this.id = id;
    this.spec = spec;
    this.startedAt = now;
    this.seenAt = now;
    this.leaseUntil = leaseUntil;
  }

  boolean isLive(Instant now) {
    return now.isBefore(leaseUntil);
  }

  void extend(Instant now, Instant until) {
    seenAt = now;
    leaseUntil = until;
  }

  Instant leaseUntil() {
    return leaseUntil;
  }

  WorkerRecord asRecord() {
    return new WorkerRecord(id, spec, startedAt, seenAt, leaseUntil, held.size());
  }
}
