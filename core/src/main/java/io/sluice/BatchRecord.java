package io.sluice;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A batch as it stands in the store. While it is {@code open}, its owner may add jobs and it does not end;
 * later only its own running jobs may. It is over while all that belongs to it is.
 */
public record BatchRecord(
    UUID id,
    String tenant,
    String name,
    @Nullable UUID parent,
    @Nullable UUID callback,
    BatchCounts counts,
    boolean open,
    Instant createdAt,
    @Nullable Instant finishedAt) {
  public boolean isOver() {
    return finishedAt != null;
  }
}
