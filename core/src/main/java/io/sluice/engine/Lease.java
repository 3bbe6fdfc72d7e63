package io.sluice.engine;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * This engine's own view of its lease: counted on its own ticker from when the last successful
 * heartbeat was sent, so it always ends before the store thinks so.
 */
final class Lease {
  private static final long NOBODY = 0;
  private static final double START_SHARE = 0.7;

  private record Term(long worker, long sentAt) {}

  private final long length;
  private final LongSupplier nanoTime;
  private volatile Term term = new Term(NOBODY, 0);

  Lease(Duration length, LongSupplier nanoTime) {
    this.length = length.toNanos();
    this.nanoTime = nanoTime;
  }

  void granted(long worker, long sentAt) {
    term = new Term(worker, sentAt);
  }

  /** Gives up the lease for good: this worker's id is not used again. */
  void lost() {
    term = new Term(NOBODY, 0);
  }

  long worker() {
    return term.worker;
  }

  boolean isHeld() {
    return term.worker != NOBODY;
  }

  /** True while enough of the lease is left to begin something. */
  boolean mayStart() {
    Term now = term;
    return now.worker != NOBODY && age(now) < length * START_SHARE;
  }

  /** True while this worker still is who it was, and enough of the lease is left. */
  boolean mayStart(long worker) {
    return term.worker == worker && mayStart();
  }

  /** True when the lease was held and has run out. */
  boolean hasLapsed() {
    Term now = term;
    return now.worker != NOBODY && age(now) >= length;
  }

  private long age(Term now) {
    return nanoTime.getAsLong() - now.sentAt;
  }
}
