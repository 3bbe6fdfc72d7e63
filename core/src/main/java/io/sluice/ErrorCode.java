package io.sluice;

/** What went wrong, as a word that programs can rely on. */
public enum ErrorCode {
  /** The queue holds as many unfinished jobs as it may. */
  QUEUE_FULL,
  /** The handler did not end within its time. */
  MESSAGE_TIMEOUT,
  /** The job or its payload is not acceptable; the message names the field. */
  INVALID_MESSAGE,
  /** No live worker handles the type. */
  HANDLER_NOT_FOUND,
  /** The store did not confirm; the write may or may not have happened. */
  PERSISTENCE_FAILURE,
  /** The job failed as often as it may. */
  MAX_RETRIES_EXCEEDED,
  /** A circuit breaker holds the work back. */
  CIRCUIT_OPEN,
  /** The engine is stopping or stopped. */
  SHUTDOWN_IN_PROGRESS,
  /** A job with this idempotency key is retained and the caller asked for strictness. */
  DUPLICATE_MESSAGE,
  /** Too many calls for now. */
  RATE_LIMITED,
  /** The tenant has as many things of a kind as its quota allows; the message names the quota. */
  QUOTA_EXCEEDED,
  /** There is no such thing. */
  NOT_FOUND,
  /** The thing is not in a state that allows this. */
  CONFLICT,
  /** The caller no longer holds the job. */
  LEASE_LOST,
  /** The worker that held the job was lost. */
  WORKER_LOST,
  /** The handler threw. */
  HANDLER_FAILED,
  /** The request cannot be read at all. */
  MALFORMED,
  /** The request is larger than it may be. */
  TOO_LARGE,
  /** What the predecessors of a job left is larger than one job may be given. */
  RESULTS_TOO_LARGE,
  /** The server has no memory to spare for this request now. */
  OVERLOADED,
  /** Nobody knows who the caller is. */
  UNAUTHORIZED,
  /** The caller may not do this. */
  FORBIDDEN,
  /** The path exists, the method does not. */
  METHOD_NOT_ALLOWED,
  /** Something went wrong inside that the caller can do nothing about. */
  INTERNAL,
  /** This store cannot do what was asked of it. */
  UNSUPPORTED,
  /** A setting, a schema or a file that Sluice cannot work with. */
  BAD_CONFIGURATION
}
