package io.sluice.memory;

import java.util.UUID;

/**
 * That a job waits or waited for another, or for a batch: open until that one is over, broken when it is
 * why the job was cancelled.
 */
final class Tie {
  final UUID from;
  final JobEntry to;
  final String name;
  boolean open = true;
  boolean broke;

  Tie(UUID from, JobEntry to, String name) {
    this.from = from;
    this.to = to;
    this.name = name;
  }
}
