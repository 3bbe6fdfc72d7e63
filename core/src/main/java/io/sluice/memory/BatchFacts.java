package io.sluice.memory;

import io.sluice.store.NewBatch;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What never changes of a batch. */
record BatchFacts(
    UUID id,
    String tenant,
    String name,
    @Nullable UUID parent,
    @Nullable UUID callback,
    @Nullable String key,
    Duration keepFor,
    Instant createdAt) {
  static BatchFacts of(NewBatch batch, Instant now) {
    return new BatchFacts(
        batch.id(),
        batch.tenant(),
        batch.name(),
        batch.parent(),
        batch.callback() == null ? null : batch.callback().id(),
        batch.idempotencyKey(),
        batch.keepFor(),
        now);
  }
}
