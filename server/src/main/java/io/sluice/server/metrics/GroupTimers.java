package io.sluice.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.server.urlgroup.GroupMeter;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Counts and times the deliveries of URL groups in this process, by tenant, group and outcome. */
final class GroupTimers implements GroupMeter {
  private record Name(Labels.Queue label, boolean delivered) {}

  private final MeterRegistry registry;
  private final Labels labels;
  private final Map<Name, Timer> timers = new ConcurrentHashMap<>();

  GroupTimers(MeterRegistry registry, Labels labels) {
    this.registry = registry;
    this.labels = labels;
  }

  @Override
  public void count(String tenant, String group, boolean delivered, long durationMs) {
    timers
        .computeIfAbsent(new Name(labels.of(tenant, group), delivered), this::timer)
        .record(Duration.ofMillis(durationMs));
  }

  private Timer timer(Name name) {
    return Timer.builder("sluice.url.group.delivery")
        .description("Attempts to deliver a job of a URL group that ended in this process")
        .tag("tenant", name.label.tenant())
        .tag("group", name.label.queue())
        .tag("outcome", name.delivered ? "delivered" : "failed")
        .register(registry);
  }
}
