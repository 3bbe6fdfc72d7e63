package io.sluice.store;

import java.time.Duration;

/** A job that is held under a lease of its own, by which worker, and for how long it has been so far. */
public record HeldJob(ClaimedJob job, long worker, Duration heldFor) {}
