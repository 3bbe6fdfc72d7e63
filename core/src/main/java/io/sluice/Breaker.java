package io.sluice;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The breaker of a URL group or a job type, as all instances share it. Without {@code settings} it never
 * opens by itself, but can be forced open, and a URL group can be held by its receiver.
 *
 * @param version counts the changes of its state: every move names the one that it saw
 * @param openUntil when the next jobs may try whether the trouble is over; null unless it is OPEN or
 *     HALF_OPEN
 * @param heldUntil until when the receiver asked to be left alone; null when it did not
 * @param asOf when this was read, by the store's clock
 */
public record Breaker(
    Scope scope,
    @Nullable BreakerSettings settings,
    BreakerState state,
    long version,
    Instant changedAt,
    @Nullable Instant openUntil,
    @Nullable Instant heldUntil,
    Probes probes,
    Calls calls,
    Instant asOf) {

  /** How many jobs of a half-open period may try, and how many of them were well. */
  public record Probes(int granted, int passed) {
    public static final Probes NONE = new Probes(0, 0);
  }

  /** How many calls there were in a window, and how many of them failed. */
  public record Calls(long total, long failed) {
    public static final Calls NONE = new Calls(0, 0);

    public double failureRate() {
      return total == 0 ? 0 : (double) failed / total;
    }

    public Calls plus(Calls other) {
      return new Calls(total + other.total, failed + other.failed);
    }
  }

  /** How long it is still open; zero when it is not, or its time is over. */
  public Duration openFor() {
    return left(openUntil);
  }

  /** How long the receiver still wants to be left alone. */
  public Duration heldFor() {
    return left(heldUntil);
  }

  private Duration left(@Nullable Instant until) {
    return until == null || !until.isAfter(asOf) ? Duration.ZERO : Duration.between(asOf, until);
  }

  /** How long it has been as it is. */
  public Duration age() {
    return changedAt.isBefore(asOf) ? Duration.between(changedAt, asOf) : Duration.ZERO;
  }
}
