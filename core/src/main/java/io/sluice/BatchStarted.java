package io.sluice;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a batch: its id, that of its callback, and its jobs in the order given. {@code duplicate}
 * when its idempotency key was known: then the jobs are those of the first call, or none are listed when
 * the batch has other jobs by now, or some are not kept any more; {@link JobFilter#inBatch} finds what is
 * there.
 */
public record BatchStarted(
    UUID id, boolean duplicate, @Nullable UUID callback, List<Enqueued> jobs) {
  public BatchStarted {
    jobs = List.copyOf(jobs);
  }
}
