package io.sluice;

/** Which jobs of a queue run strictly one after the other. */
public enum Ordering {
  /** None: as many at once as there is room for. */
  NONE,
  /** All jobs of the queue. */
  QUEUE,
  /** Jobs of the queue that have the same limit key. */
  KEY
}
