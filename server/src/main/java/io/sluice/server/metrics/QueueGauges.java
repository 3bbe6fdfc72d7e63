package io.sluice.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.sluice.JobState;
import io.sluice.Stats;
import io.sluice.server.health.Recent;
import io.sluice.store.Count;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** How many jobs the store holds, by tenant, queue and state, and how long the oldest has waited. */
final class QueueGauges {
  private static final Duration KEEP = Duration.ofSeconds(5);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  private record Row(Labels.Queue label, JobState state) {}

  private final Labels labels;
  private final Recent<Stats> stats;
  private final MultiGauge jobs;
  private volatile @Nullable Stats seen;

  QueueGauges(MeterRegistry registry, Labels labels, Supplier<Stats> stats, LongSupplier nanoTime) {
    this.labels = labels;
    this.stats = new Recent<>(stats, KEEP, nanoTime);
    this.jobs =
        MultiGauge.builder("sluice.queue.jobs").description("Jobs in the store").register(registry);
    Gauge.builder("sluice.store.up", () -> seen == null ? 0 : 1)
        .description("1 when the store answered the last time it was asked")
        .register(registry);
    gauge("sluice.queue.oldest.waiting", QueueGauges::oldest)
        .description("How long the oldest ready job has waited")
        .baseUnit("seconds")
        .register(registry);
    gauge("sluice.engine.running", s -> s.work().running())
        .description("Handlers that run in this process")
        .register(registry);
    gauge("sluice.engine.stuck", s -> s.work().stuck())
        .description("Handlers that did not end although they were interrupted")
        .register(registry);
    gauge("sluice.engine.retry.rate", s -> s.work().retryRate())
        .description("Share of the last attempts here that failed and are repeated")
        .register(registry);
  }

  private Gauge.Builder<Supplier<Number>> gauge(String name, ToDoubleFunction<Stats> figure) {
    return Gauge.builder(name, () -> {
      Stats last = seen;
      return last == null ? Double.NaN : figure.applyAsDouble(last);
    });
  }

  private static double oldest(Stats stats) {
    Duration age = stats.oldestWaiting();
    return age == null ? 0 : age.toMillis() / 1000.0;
  }

  /** Looks at the store; where it does not answer, no figure of it is told. */
  void refresh() {
    Stats last = stats.within(PATIENCE).orElse(null);
    seen = last;
    jobs.register(last == null ? List.of() : rows(last.counts()), true);
  }

  private List<MultiGauge.Row<?>> rows(List<Count> counts) {
    Map<Row, Long> sums = counts.stream()
        .collect(Collectors.groupingBy(
            c -> new Row(labels.of(c.tenant(), c.queue()), c.state()),
            Collectors.summingLong(Count::jobs)));
    return sums.entrySet().stream()
        .<MultiGauge.Row<?>>map(e -> MultiGauge.Row.of(tags(e.getKey()), e.getValue()))
        .toList();
  }

  private static Tags tags(Row row) {
    return Tags.of(
        "tenant", row.label.tenant(),
        "queue", row.label.queue(),
        "state", row.state.name().toLowerCase(Locale.ROOT));
  }
}
