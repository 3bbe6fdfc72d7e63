package io.sluice.store;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How many jobs became due and ready, and how long until the next one does: zero when more are due,
 * null when none waits.
 */
public record Promotion(int moved, @Nullable Duration untilNext) {}
