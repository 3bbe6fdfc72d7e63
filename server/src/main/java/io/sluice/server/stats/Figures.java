package io.sluice.server.stats;

import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.JobStatus;
import io.sluice.PageSize;
import io.sluice.store.Count;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Figures that are true over all instances: read from the store, not from what one of them did. */
public final class Figures {
  private static final int SAMPLE = 100;

  private final JobStore store;

  public Figures(JobStore store) {
    this.store = store;
  }

  /** How long the newest completed jobs of a tenant, or all, took; null where there were none. */
  public record Times(
      @Nullable Duration mean,
      @Nullable Duration p95,
      @Nullable Duration p99) {}

  /** How many jobs there are in each state. */
  public record Tally(long depth, long running, Map<JobState, Long> byState) {
    public static Tally of(Collection<Count> counts) {
      Map<JobState, Long> byState = new EnumMap<>(JobState.class);
      for (JobState state : JobState.values()) {
        byState.put(state, 0L);
      }
      counts.forEach(count -> byState.merge(count.state(), count.jobs(), Long::sum));
      long depth = Stream.of(JobState.PENDING, JobState.SCHEDULED, JobState.RETRYING)
          .mapToLong(state -> byState.getOrDefault(state, 0L))
          .sum();
      return new Tally(depth, byState.getOrDefault(JobState.RUNNING, 0L), byState);
    }
  }

  public List<Count> counts(@Nullable String tenant) {
    return store.counts(tenant);
  }

  public Times times(JobFilter filter) {
    PageSize sample = PageSize.states(SAMPLE);
    List<Duration> taken = store.page(filter.in(JobState.COMPLETED), null, sample).items().stream()
        .map(JobRecord::status)
        .flatMap(status -> taken(status).stream())
        .sorted()
        .toList();
    if (taken.isEmpty()) {
      return new Times(null, null, null);
    }
    Duration sum = taken.stream().reduce(Duration.ZERO, Duration::plus);
    return new Times(sum.dividedBy(taken.size()), share(taken, 0.95), share(taken, 0.99));
  }

  private static Optional<Duration> taken(JobStatus status) {
    Instant from = status.startedAt();
    Instant to = status.finishedAt();
    return from == null || to == null || to.isBefore(from)
        ? Optional.empty()
        : Optional.of(Duration.between(from, to));
  }

  private static Duration share(List<Duration> sorted, double share) {
    return sorted.get((int) Math.ceil(sorted.size() * share) - 1);
  }

  /** How long the oldest ready job has waited, of one tenant or of all. */
  public @Nullable Duration oldestWaiting(@Nullable String tenant) {
    return store.oldestReady(tenant).map(this::since).orElse(null);
  }

  /** The same of one queue. Ids begin with the time of their making, and the first of a lane is its oldest. */
  public @Nullable Duration oldestWaiting(String tenant, String queue) {
    return store.heads(tenant, queue).stream()
        .map(head -> Instant.ofEpochMilli(head.first().getMostSignificantBits() >>> 16))
        .min(Instant::compareTo)
        .map(this::since)
        .orElse(null);
  }

  private Duration since(Instant moment) {
    Duration waited = Duration.between(moment, store.now());
    return waited.isNegative() ? Duration.ZERO : waited;
  }
}
