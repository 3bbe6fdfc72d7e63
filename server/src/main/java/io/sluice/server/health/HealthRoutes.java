package io.sluice.server.health;

import io.sluice.Health;
import io.sluice.server.access.Access;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Routes;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** {@code /health/live}, {@code /health/ready} and {@code /health/queue}, for probes. */
public final class HealthRoutes {
  private static final Duration KEEP = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(5);

  /** What a probe is told: {@code ok}, or {@code unavailable} and why. */
  public record Status(String status, List<String> reasons) {}

  private final Readiness readiness;
  private final Recent<Health> queue;

  public HealthRoutes(Readiness readiness, Supplier<Health> queue, LongSupplier nanoTime) {
    this.readiness = readiness;
    this.queue = new Recent<>(queue, KEEP, nanoTime);
  }

  public Routes addTo(Routes routes) {
    return routes
        .get("/health/live", Access.PUBLIC, call -> answer(call, List.of()))
        .get("/health/ready", Access.PUBLIC, this::ready)
        .get("/health/queue", Access.PUBLIC, this::queue);
  }

  private Answer ready(Call call) {
    return answer(call, readiness.obstacle().stream().toList());
  }

  private Answer queue(Call call) {
    return answer(
        call,
        queue
            .within(PATIENCE)
            .map(
                health -> health.problems().stream().map(HealthRoutes::harmless).toList())
            .orElse(List.of("the store does not answer")));
  }

  /** A problem without what strangers must not learn: the address of the database. */
  private static String harmless(String problem) {
    return problem.startsWith("store:") ? "the store does not answer" : problem;
  }

  private static Answer answer(Call call, List<String> reasons) {
    call.query().only();
    return reasons.isEmpty()
        ? Answer.ok(new Status("ok", reasons))
        : new Answer(503, new Status("unavailable", reasons), Map.of("Retry-After", "1"));
  }
}
