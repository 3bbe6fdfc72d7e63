package io.sluice;

/**
 * Which jobs of a queue run strictly one after the other: the oldest of those that are ready first,
 * whatever its type and priority, and the next only when it is over. One that failed or was put off and
 * waits for its next attempt holds up those that come after it.
 */
public enum Ordering {
  /** None: as many at once as there is room for. */
  NONE,
  /** All jobs of the queue. */
  QUEUE,
  /** Jobs of the queue that have the same limit key; those without one are free. */
  KEY
}
