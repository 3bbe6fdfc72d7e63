package io.sluice.memory;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The claim a job runs under: by whom and since when, what was noted of its start, and until when it is
 * held, where that is not as long as the worker is.
 */
record Hold(
    WorkerEntry worker,
    Instant claimedAt,
    boolean started,
    boolean alone,
    @Nullable Instant until) {
  Hold withStart(boolean nowAlone) {
    return new Hold(worker, claimedAt, true, nowAlone, until);
  }

  Hold inUseUntil(Instant end) {
    return new Hold(worker, claimedAt, true, alone, end);
  }

  Hold moved(Duration by) {
    return until == null ? this : new Hold(worker, claimedAt, started, alone, until.plus(by));
  }

  boolean isLost(Instant now) {
    return until == null ? !worker.isLive(now) : hasLapsed(now);
  }

  boolean hasLapsed(Instant now) {
    return until != null && !now.isBefore(until);
  }

  Instant leaseUntil() {
    return until == null ? worker.leaseUntil() : until;
  }
}
