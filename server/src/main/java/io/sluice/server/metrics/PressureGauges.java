package io.sluice.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.sluice.Fullness;
import io.sluice.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** How full capped queues and tenants are. Beyond a bound no more of them have figures. */
final class PressureGauges {
  private final Supplier<List<Fullness>> fullness;
  private final Labels queues;
  private final Labels tenants;
  private final Map<MultiGauge, ToDoubleFunction<Fullness>> ofQueues;
  private final Map<MultiGauge, ToDoubleFunction<Fullness>> ofTenants;

  PressureGauges(MeterRegistry registry, Labels queues, Supplier<List<Fullness>> fullness) {
    this.fullness = fullness;
    this.queues = queues;
    this.tenants = new Labels(queues.most());
    this.ofQueues = gauges(registry, "queue", "capped queue");
    this.ofTenants = gauges(registry, "tenant", "capped tenant, in all its queues");
  }

  private static Map<MultiGauge, ToDoubleFunction<Fullness>> gauges(
      MeterRegistry registry, String what, String words) {
    return Map.of(
        gauge(registry, "sluice." + what + ".size", "Unfinished jobs of a " + words),
        Fullness::unfinished,
        gauge(registry, "sluice." + what + ".size.max", "The most unfinished jobs of a " + words),
        Fullness::maxSize,
        gauge(
            registry,
            "sluice." + what + ".level",
            "How full it is, 0 normal, 1 warning, 2 high, 3 full, of a " + words),
        full -> number(full.level()),
        gauge(registry, "sluice." + what + ".ends", "Jobs that end in a second, of a " + words),
        Fullness::endsPerSecond);
  }

  private static int number(Level level) {
    return switch (level) {
      case NORMAL -> 0;
      case WARNING -> 1;
      case HIGH -> 2;
      case FULL -> 3;
    };
  }

  private static MultiGauge gauge(MeterRegistry registry, String name, String words) {
    return MultiGauge.builder(name).description(words).register(registry);
  }

  void refresh() {
    List<Fullness> all = fullness.get();
    ofQueues.forEach((gauge, figure) -> gauge.register(rows(all, false, figure), true));
    ofTenants.forEach((gauge, figure) -> gauge.register(rows(all, true, figure), true));
  }

  private List<MultiGauge.Row<?>> rows(
      List<Fullness> all, boolean tenant, ToDoubleFunction<Fullness> figure) {
    List<MultiGauge.Row<?>> rows = new ArrayList<>();
    for (Fullness full : all) {
      Tags tags = (full.queue() == null) == tenant ? tags(full) : null;
      if (tags != null) {
        rows.add(MultiGauge.Row.of(tags, figure.applyAsDouble(full)));
      }
    }
    return rows;
  }

  /** Null for what has no figures of its own: sizes of several things say nothing together. */
  private @Nullable Tags tags(Fullness full) {
    String queue = full.queue();
    Labels.Queue label =
        queue == null ? tenants.of(full.tenant(), "") : queues.of(full.tenant(), queue);
    if (!label.tenant().equals(full.tenant())) {
      return null;
    }
    Tags tags = Tags.of("tenant", label.tenant());
    return queue == null ? tags : tags.and("queue", queue);
  }
}
