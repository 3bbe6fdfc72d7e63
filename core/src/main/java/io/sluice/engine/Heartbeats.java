package io.sluice.engine;

import io.sluice.store.ClaimRef;
import io.sluice.store.Heartbeat;
import io.sluice.store.WorkerSpec;
import io.sluice.store.Workers;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps this engine's lease, and learns what it lost. When the lease is gone everything that ran
 * under it is over, and the engine signs on as a new worker.
 */
final class Heartbeats {
  private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

  private final Workers workers;
  private final WorkerSpec self;
  private final Duration length;
  private final Lease lease;
  private final Attempts attempts;
  private final LongSupplier nanoTime;

  Heartbeats(
      Workers workers,
      WorkerSpec self,
      Duration length,
      Lease lease,
      Attempts attempts,
      LongSupplier nanoTime) {
    this.workers = workers;
    this.self = self;
    this.length = length;
    this.lease = lease;
    this.attempts = attempts;
    this.nanoTime = nanoTime;
  }

  Duration runOnce() {
    if (lease.hasLapsed()) {
      loseEverything();
    }
    if (lease.isHeld()) {
      beat();
    }
    if (!lease.isHeld()) {
      signOn();
    }
    return length.dividedBy(3);
  }

  void signOn() {
    long sent = nanoTime.getAsLong();
    long worker = workers.register(self, length);
    lease.granted(worker, sent);
    LOG.info("{} works as worker {}", self.name(), worker);
  }

  private void beat() {
    long sent = nanoTime.getAsLong();
    long worker = lease.worker();
    Heartbeat answer = workers.heartbeat(worker, length, attempts.refs());
    // An answer that comes after the lapse is too late: what ran is interrupted and let go already.
    if (!answer.alive() || lease.hasLapsed()) {
      loseEverything();
      return;
    }
    lease.granted(worker, sent);
    for (ClaimRef ref : answer.gone()) {
      attempts.find(ref).ifPresent(this::lose);
    }
  }

  private void loseEverything() {
    LOG.warn("worker {} lost its lease: what it runs is interrupted", lease.worker());
    lease.lost();
    attempts.all().forEach(this::lose);
    attempts.all().forEach(Attempt::interruptOnce);
  }

  private void lose(Attempt attempt) {
    attempt.end(Attempt.Over.LOST, nanoTime.getAsLong());
  }

  /** Signs off, so that whatever might be left is rescued without waiting for the lease's end. */
  void signOff() {
    if (lease.isHeld()) {
      workers.leave(lease.worker());
      lease.lost();
    }
  }
}
