package io.sluice.memory;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * That a job waits for others: how many of them are not over, how many did not complete, and when it may
 * run by its own time. It is held when none is missing and it waits all the same.
 */
final class Wait {
  int missing;
  int failed;

  @Nullable
  final Instant dueAt;

  Wait(int missing, int failed, @Nullable Instant dueAt) {
    this.missing = missing;
    this.failed = failed;
    this.dueAt = dueAt;
  }
}
