package io.sluice.server.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.sluice.EventListener;
import io.sluice.Sluice;
import io.sluice.postgres.PoolUse;
import io.sluice.server.access.Access;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Routes;
import io.sluice.server.rest.Traffic;
import io.sluice.server.urlgroup.GroupMeter;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** All figures of one server, and {@code GET /metrics}, which tells them. */
public final class Metrics implements AutoCloseable {
  /** How many queues have figures of their own. */
  private static final int QUEUES = 200;

  /** How many URL groups have figures of their own. */
  private static final int GROUPS = 200;

  private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final JvmGcMetrics collector = new JvmGcMetrics();
  private final HttpTimers requests = new HttpTimers(registry);
  private final Labels labels = new Labels(QUEUES);
  private final JobCounters jobs = new JobCounters(registry, labels);
  private final GroupTimers groups = new GroupTimers(registry, new Labels(GROUPS));
  private @Nullable QueueGauges queues;
  private @Nullable PressureGauges pressure;

  public Metrics() {
    new JvmMemoryMetrics().bindTo(registry);
    new JvmThreadMetrics().bindTo(registry);
    new ClassLoaderMetrics().bindTo(registry);
    collector.bindTo(registry);
    new ProcessorMetrics().bindTo(registry);
    new FileDescriptorMetrics().bindTo(registry);
    new UptimeMetrics().bindTo(registry);
  }

  /** What counts the events of an engine. */
  public EventListener jobs() {
    return jobs;
  }

  /** What counts and times the deliveries of URL groups. */
  public GroupMeter groups() {
    return groups;
  }

  /** What times the requests of a server. */
  public Consumer<Traffic.Exchange> requests() {
    return requests;
  }

  /** Adds what an engine knows of its store and of itself. */
  public void watch(Sluice sluice, LongSupplier nanoTime) {
    queues = new QueueGauges(registry, labels, sluice::stats, nanoTime);
    pressure = new PressureGauges(registry, labels, sluice::fullness);
  }

  /** Adds the use of connection pools. */
  public void watch(Supplier<List<PoolUse>> pools) {
    for (PoolUse pool : pools.get()) {
      gauge(pools, pool.name(), "active", PoolUse::active);
      gauge(pools, pool.name(), "idle", PoolUse::idle);
      gauge(pools, pool.name(), "waiting", PoolUse::waiting);
      gauge(pools, pool.name(), "most", PoolUse::most);
    }
  }

  private void gauge(
      Supplier<List<PoolUse>> pools, String name, String what, ToIntFunction<PoolUse> figure) {
    Gauge.builder(
            "sluice.pool.connections",
            () -> pools.get().stream()
                .filter(pool -> pool.name().equals(name))
                .mapToInt(figure)
                .sum())
        .description("Connections to the database, and callers that wait for one")
        .tags(Tags.of("pool", name, "state", what))
        .register(registry);
  }

  public Routes addTo(Routes routes) {
    return routes.get("/metrics", Access.MONITOR, this::scrape);
  }

  private Answer scrape(Call call) {
    call.query().only();
    if (queues != null) {
      queues.refresh();
    }
    if (pressure != null) {
      pressure.refresh();
    }
    return Answer.text(TYPE, registry.scrape(TYPE));
  }

  @Override
  public void close() {
    collector.close();
    registry.close();
  }
}
