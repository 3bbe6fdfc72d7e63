package io.sluice.memory;

import io.sluice.store.WorkerRecord;
import io.sluice.store.WorkerSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;

/** A worker with its lease and the jobs it holds. */
final class WorkerEntry {
  final long id;
  WorkerSpec spec;
  final Set<JobEntry> held = new LinkedHashSet<>();
  private Instant startedAt;
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

  boolean isVisitor(WorkerSpec other) {
    return spec.tenant() != null
        && spec.tenant().equals(other.tenant())
        && Objects.equals(spec.queue(), other.queue())
        && spec.name().equals(other.name());
  }

  void visit(WorkerSpec now, Instant seen, Instant until) {
    if (!isLive(seen)) {
      startedAt = seen;
    }
    spec = now;
    extend(seen, until);
  }

  void extend(Instant now, Instant until) {
    seenAt = now;
    leaseUntil = until;
  }

  void moveLease(Duration by) {
    leaseUntil = leaseUntil.plus(by);
  }

  Instant leaseUntil() {
    return leaseUntil;
  }

  WorkerRecord asRecord() {
    return new WorkerRecord(id, spec, startedAt, seenAt, leaseUntil, held.size());
  }
}
