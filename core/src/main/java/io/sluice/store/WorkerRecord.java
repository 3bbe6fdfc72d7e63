package io.sluice.store;

import java.time.Instant;

/** A worker as the store knows it. */
public record WorkerRecord(
    long id, WorkerSpec spec, Instant startedAt, Instant seenAt, Instant leaseUntil, int running) {}
