package io.sluice;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of a job so far: the part that changes. {@code attempt} counts the attempts that were
 * begun and not given back, {@code replays} how often a person ran it again, and {@code reason} says
 * why it is dead, failed or cancelled.
 */
public record JobStatus(
    JobState state,
    int attempt,
    int strikes,
    int replays,
    @Nullable Instant runAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt,
    @Nullable Instant leaseUntil,
    @Nullable String worker,
    @Nullable String result,
    @Nullable String reason,
    List<JobError> errors,
    @Nullable Progress progress) {

  public JobStatus {
    errors = List.copyOf(errors);
  }
}
