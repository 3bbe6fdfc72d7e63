package io.sluice.server.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.sluice.Event;
import io.sluice.EventListener;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts what happens to jobs in this process, by tenant and queue, and deliveries by outcome. */
final class JobCounters implements EventListener {
  /** The type of jobs that are HTTP requests. */
  private static final String HTTP = "http";

  private record Name(Event.Kind kind, Labels.Queue label) {}

  private final MeterRegistry registry;
  private final Labels labels;
  private final Map<Name, Counter> counters = new ConcurrentHashMap<>();
  private final Counter delivered;
  private final Counter undelivered;

  JobCounters(MeterRegistry registry, Labels labels) {
    this.registry = registry;
    this.labels = labels;
    this.delivered = deliveries("delivered");
    this.undelivered = deliveries("failed");
  }

  private Counter deliveries(String outcome) {
    return Counter.builder("sluice.deliveries")
        .description("Attempts to deliver an HTTP job that ended in this process")
        .tag("outcome", outcome)
        .register(registry);
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.OfJob job && job.kind() != Event.Kind.PROGRESS) {
      Labels.Queue label = labels.of(job.lane().tenant(), job.lane().queue());
      counters.computeIfAbsent(new Name(job.kind(), label), this::counter).increment();
      if (job.lane().type().equals(HTTP)) {
        countDelivery(job.kind());
      }
    }
    if (event instanceof Event.BreakerChanged changed) {
      countBreaker(changed);
    }
  }

  private void countBreaker(Event.BreakerChanged changed) {
    Counter.builder("sluice.breaker.changes")
        .description("Changes of breakers that this process saw, by what they are on")
        .tag("on", changed.scope().kind().word())
        .tag("state", changed.to().name().toLowerCase(Locale.ROOT))
        .register(registry)
        .increment();
  }

  private void countDelivery(Event.Kind kind) {
    switch (kind) {
      case COMPLETED -> delivered.increment();
      case FAILED -> undelivered.increment();
      default -> {}
    }
  }

  private Counter counter(Name name) {
    String what = name.kind.name().toLowerCase(Locale.ROOT);
    return Counter.builder("sluice.jobs." + what)
        .description("Jobs " + what + " in this process; an attempt that failed counts as failed")
        .tag("tenant", name.label.tenant())
        .tag("queue", name.label.queue())
        .register(registry);
  }
}
