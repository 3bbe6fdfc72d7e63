package io.sluice.server.workflow;

import io.sluice.BatchCounts;
import io.sluice.BatchRecord;
import io.sluice.JobState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A batch as it is read back. {@code done} are all that are over, however they ended; {@code failed} those
 * that are dead or failed.
 */
record BatchView(
    UUID id,
    String name,
    JobState state,
    boolean open,
    long total,
    long completed,
    long failed,
    long cancelled,
    long done,
    @Nullable UUID parent,
    @Nullable UUID callback,
    Instant createdAt,
    @Nullable Instant finishedAt) {

  static BatchView of(BatchRecord batch) {
    BatchCounts counts = batch.counts();
    return new BatchView(
        batch.id(),
        batch.name(),
        state(batch),
        batch.open(),
        counts.total(),
        counts.completed(),
        counts.failed(),
        counts.cancelled(),
        counts.over(),
        batch.parent(),
        batch.callback(),
        batch.createdAt(),
        batch.finishedAt());
  }

  /** What it is for those who wait for it. */
  private static JobState state(BatchRecord batch) {
    if (!batch.isOver()) {
      return JobState.RUNNING;
    }
    if (batch.counts().succeeded()) {
      return JobState.COMPLETED;
    }
    return batch.counts().failed() > 0 ? JobState.DEAD : JobState.CANCELLED;
  }
}
