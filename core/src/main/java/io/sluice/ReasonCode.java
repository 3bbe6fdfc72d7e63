package io.sluice;

/**
 * Why a job does not run now, or what else there is to say of it; the most decisive first. What each
 * means and what changes it is in {@code docs/explain.md}.
 */
public enum ReasonCode {
  /** Its tenant is disabled. */
  TENANT_DISABLED,
  /** Its queue is paused. */
  QUEUE_PAUSED,
  /** Its URL group is disabled. */
  GROUP_DISABLED,
  /** The application holds its lane back. */
  LANE_HELD,
  /** One that it waited for did not complete, and a person is to say what happens. */
  HELD,
  /** It waits for other jobs or batches. */
  WAITS_FOR,
  /** It is for later. */
  SCHEDULED,
  /** It failed and waits for the time of its next attempt. */
  RETRYING,
  /** No live worker handles its type in its queue. */
  NO_WORKER,
  /** Its URL group is held, by its health check or by what its receiver asked for. */
  GROUP_HELD,
  /** The circuit breaker of its URL group or type is open. */
  BREAKER_OPEN,
  /** Another job goes before it in a strict order. */
  ORDERED_BEHIND,
  /** A limit lets no more jobs run at once. */
  CONCURRENCY_LIMITED,
  /** A limit lets no more jobs start for now. */
  RATE_LIMITED,
  /** Every worker that handles it runs as much as it can. */
  WORKERS_BUSY,
  /** Others are before it in its lane. */
  AHEAD,
  /** Nothing is in its way. */
  READY,
  /** It runs. */
  RUNNING,
  /** It is done. */
  COMPLETED,
  /** It failed for good, in a queue without dead letters. */
  FAILED,
  /** It failed for good and is a dead letter. */
  DEAD,
  /** It was ended before it was done. */
  CANCELLED
}
