package io.sluice.server.access;

/** What a route asks of its caller. No route can be declared without one. */
public enum Access {
  /** Nothing, not even a credential. */
  PUBLIC,
  /** To look at what the tenant has. */
  READ,
  /** To enqueue jobs and to cancel them. */
  PRODUCE,
  /** To claim jobs and to say what became of them. */
  WORK,
  /** To add jobs to a batch: as a producer, or as a worker under the lease of one of its jobs. */
  EXTEND,
  /** To change what the tenant has: queues, URL groups, dead letters, keys. */
  OPERATE,
  /** To read the figures of the whole server, and nothing else. */
  MONITOR,
  /** To change or see what belongs to all tenants. */
  ADMIN
}
