package io.sluice.store;

import io.sluice.Lane;
import java.util.UUID;

/** A job that was cancelled among others: what is told of it. */
public record CancelledJob(UUID id, Lane lane, int attempt) {}
