package io.sluice;

import java.time.Instant;

/** How far a running handler says it is. */
public record Progress(int percent, String message, Instant at) {}
