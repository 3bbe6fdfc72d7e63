package io.sluice;

import java.time.Instant;

/** A line that a handler wrote about its job. */
public record LogLine(Instant at, int attempt, String text) {}
