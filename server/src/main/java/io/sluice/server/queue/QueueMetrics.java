package io.sluice.server.queue;

import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.Level;
import io.sluice.server.stats.Figures;
import io.sluice.store.Count;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The figures of one queue: how many jobs it has by state and by type, how full it is where its size is
 * limited, how long the oldest ready job has waited, and how long its newest completed jobs took.
 */
record QueueMetrics(
    UUID id,
    String queue,
    boolean enabled,
    long depth,
    long running,
    Map<JobState, Long> byState,
    Map<String, Map<JobState, Long>> byType,
    @Nullable Long maxSize,
    @Nullable Level level,
    @Nullable Duration oldestWaiting,
    @Nullable Duration mean,
    @Nullable Duration p95,
    @Nullable Duration p99) {

  static QueueMetrics of(QueueView queue, Figures figures) {
    List<Count> counts = figures.counts(queue.tenant()).stream()
        .filter(count -> count.queue().equals(queue.name()))
        .toList();
    Figures.Tally tally = Figures.Tally.of(counts);
    Map<String, Map<JobState, Long>> byType = counts.stream()
        .collect(Collectors.groupingBy(
            Count::type,
            TreeMap::new,
            Collectors.collectingAndThen(
                Collectors.toList(), some -> Figures.Tally.of(some).byState())));
    Figures.Times times =
        figures.times(JobFilter.all().inTenant(queue.tenant()).inQueue(queue.name()));
    return new QueueMetrics(
        queue.id(),
        queue.name(),
        queue.enabled(),
        tally.depth(),
        tally.running(),
        tally.byState(),
        byType,
        queue.maxSize(),
        queue.level(),
        figures.oldestWaiting(queue.tenant(), queue.name()),
        times.mean(),
        times.p95(),
        times.p99());
  }
}
