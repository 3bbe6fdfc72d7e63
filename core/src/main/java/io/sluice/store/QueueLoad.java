package io.sluice.store;

/** How many jobs of a queue run now, and how many may. */
public record QueueLoad(String tenant, String queue, int running, int maxConcurrent) {
  /** How many more may run. */
  public int free() {
    return Math.max(0, maxConcurrent - running);
  }
}
