package io.sluice.server.health;

import com.fasterxml.jackson.annotation.JsonInclude;
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

  /**
   * What a probe is told: {@code ok}, or {@code unavailable} and why.
   *
   * @param notes what is worth knowing and no fault, such as open breakers; left out where there is nothing
   */
  public record Status(
      String status,
      List<String> reasons,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> notes) {}

  private final Readiness readiness;
  private final Recent<Health> queue;
  private final Recent<List<String>> notes;

  public HealthRoutes(
      Readiness readiness,
      Supplier<Health> queue,
      Supplier<List<String>> notes,
      LongSupplier nanoTime) {
    this.readiness = readiness;
    this.queue = new Recent<>(queue, KEEP, nanoTime);
    this.notes = new Recent<>(notes, KEEP, nanoTime);
  }

  public Routes addTo(Routes routes) {
    return routes
        .get("/health/live", Access.PUBLIC, call -> answer(call, List.of(), List.of()))
        .get("/health/ready", Access.PUBLIC, this::ready)
        .get("/health/queue", Access.PUBLIC, this::queue);
  }

  private Answer ready(Call call) {
    return answer(call, readiness.obstacle().stream().toList(), List.of());
  }

  private Answer queue(Call call) {
    return answer(
        call,
        queue
            .within(PATIENCE)
            .map(
                health -> health.problems().stream().map(HealthRoutes::harmless).toList())
            .orElse(List.of("the store does not answer")),
        notes.within(PATIENCE).orElse(List.of()));
  }

  /** A problem without what strangers must not learn: the address of the database. */
  private static String harmless(String problem) {
    return problem.startsWith("store:") ? "the store does not answer" : problem;
  }

  private static Answer answer(Call call, List<String> reasons, List<String> notes) {
    call.query().only();
    return reasons.isEmpty()
        ? Answer.ok(new Status("ok", reasons, notes))
        : new Answer(503, new Status("unavailable", reasons, notes), Map.of("Retry-After", "1"));
  }
}
