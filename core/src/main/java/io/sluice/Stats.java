package io.sluice;

import io.sluice.store.Count;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Figures: how many jobs the store holds by queue, type and state, how long the oldest ready one has
 * waited, and what this engine did.
 */
public record Stats(List<Count> counts, @Nullable Duration oldestWaiting, Work work) {
  /** What one engine did since it started; times and retry rate of its last minutes only. */
  public record Work(
      int running,
      long processed,
      long completed,
      long failed,
      long dead,
      int stuck,
      double retryRate,
      Duration mean,
      Duration p95,
      Duration p99) {}

  public Stats {
    counts = List.copyOf(counts);
  }

  /** How many jobs are in a state. */
  public long in(JobState state) {
    return counts.stream()
        .filter(c -> c.state() == state)
        .mapToLong(Count::jobs)
        .sum();
  }

  /** How many jobs wait, due or not. */
  public long depth() {
    return in(JobState.PENDING) + in(JobState.SCHEDULED) + in(JobState.RETRYING);
  }
}
