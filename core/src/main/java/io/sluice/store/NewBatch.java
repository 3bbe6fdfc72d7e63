package io.sluice.store;

import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A batch on its way into a store. With a parent, it counts there as one of its members, and the one who
 * makes it must be a running job of the parent, or the parent be open. It is kept for so long after its end.
 */
public record NewBatch(
    UUID id,
    String tenant,
    String name,
    boolean open,
    @Nullable UUID parent,
    @Nullable ClaimRef by,
    @Nullable String idempotencyKey,
    @Nullable NewJob callback,
    Duration keepFor) {}
