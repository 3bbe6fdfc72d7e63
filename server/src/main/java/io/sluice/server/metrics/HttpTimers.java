package io.sluice.server.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.sluice.server.rest.Traffic;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Times requests by method, route and status. */
final class HttpTimers implements Consumer<Traffic.Exchange> {
  private static final Duration[] BUCKETS = {
    Duration.ofMillis(5),
    Duration.ofMillis(25),
    Duration.ofMillis(100),
    Duration.ofMillis(250),
    Duration.ofMillis(500),
    Duration.ofSeconds(1),
    Duration.ofSeconds(5)
  };

  private record Name(String method, String route, int status) {}

  private final MeterRegistry registry;
  private final Map<Name, Timer> timers = new ConcurrentHashMap<>();

  HttpTimers(MeterRegistry registry) {
    this.registry = registry;
  }

  @Override
  public void accept(Traffic.Exchange exchange) {
    timers
        .computeIfAbsent(
            new Name(exchange.method(), exchange.route(), exchange.status()), this::timer)
        .record(exchange.took());
  }

  private Timer timer(Name name) {
    return Timer.builder("sluice.http.requests")
        .description("Requests to the API")
        .tag("method", name.method)
        .tag("route", name.route)
        .tag("status", String.valueOf(name.status))
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }
}
