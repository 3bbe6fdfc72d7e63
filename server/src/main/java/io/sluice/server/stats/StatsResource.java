package io.sluice.server.stats;

import io.sluice.Fullness;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.Level;
import io.sluice.server.access.Access;
import io.sluice.server.access.Role;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Routes;
import io.sluice.store.Count;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Figures of the tenant that a caller acts for; for an admin who names none, of the whole system. */
public final class StatsResource {
  /** {@code tenant} is null for the whole system. */
  private record View(
      @Nullable String tenant,
      long depth,
      long running,
      Map<JobState, Long> byState,
      List<OfQueue> byQueue,
      List<OfType> byType,
      List<Capped> capped,
      @Nullable Duration oldestWaiting,
      @Nullable Duration mean,
      @Nullable Duration p95,
      @Nullable Duration p99) {}

  private record OfQueue(
      String tenant, String queue, long depth, long running, Map<JobState, Long> byState) {}

  private record OfType(String type, long depth, long running, Map<JobState, Long> byState) {}

  /** How full something is; {@code queue} is null for a tenant as a whole. */
  private record Capped(
      String tenant,
      @Nullable String queue,
      Level level,
      long size,
      long maxSize,
      double endsPerSecond) {}

  private record Place(String tenant, String queue) {}

  private static final Comparator<Capped> BY_PLACE = Comparator.comparing(Capped::tenant)
      .thenComparing(Capped::queue, Comparator.nullsFirst(Comparator.naturalOrder()));

  private final Figures figures;
  private final Supplier<List<Fullness>> fullness;

  public StatsResource(Figures figures, Supplier<List<Fullness>> fullness) {
    this.figures = figures;
    this.fullness = fullness;
  }

  public Routes addTo(Routes routes) {
    return routes.get("/v1/stats", Access.READ, this::stats);
  }

  /** The tenant whose things a caller looks at; null for all of them. */
  static @Nullable String scope(Call call) {
    boolean all =
        call.caller().role() == Role.ADMIN && call.header("Sluice-Tenant").isEmpty();
    return all ? null : call.tenant();
  }

  private Answer stats(Call call) {
    call.query().only();
    String tenant = scope(call);
    List<Count> counts = figures.counts(tenant);
    Figures.Tally all = Figures.Tally.of(counts);
    JobFilter filter = tenant == null ? JobFilter.all() : JobFilter.all().inTenant(tenant);
    Figures.Times times = figures.times(filter);
    return Answer.ok(new View(
        tenant,
        all.depth(),
        all.running(),
        all.byState(),
        byQueue(counts),
        byType(counts),
        capped(tenant),
        figures.oldestWaiting(tenant),
        times.mean(),
        times.p95(),
        times.p99()));
  }

  private List<Capped> capped(@Nullable String tenant) {
    return fullness.get().stream()
        .filter(full -> tenant == null || full.tenant().equals(tenant))
        .map(full -> new Capped(
            full.tenant(),
            full.queue(),
            full.level(),
            full.unfinished(),
            full.maxSize(),
            Math.round(full.endsPerSecond() * 1000) / 1000.0))
        .sorted(BY_PLACE)
        .toList();
  }

  private static List<OfQueue> byQueue(List<Count> counts) {
    Map<Place, List<Count>> places = new LinkedHashMap<>();
    counts.forEach(count -> places
        .computeIfAbsent(new Place(count.tenant(), count.queue()), p -> new ArrayList<>())
        .add(count));
    List<OfQueue> rows = new ArrayList<>();
    places.forEach((place, some) -> {
      Figures.Tally tally = Figures.Tally.of(some);
      rows.add(
          new OfQueue(place.tenant, place.queue, tally.depth(), tally.running(), tally.byState()));
    });
    return rows;
  }

  private static List<OfType> byType(List<Count> counts) {
    Map<String, List<Count>> types = new TreeMap<>();
    counts.forEach(
        count -> types.computeIfAbsent(count.type(), t -> new ArrayList<>()).add(count));
    List<OfType> rows = new ArrayList<>();
    types.forEach((type, some) -> {
      Figures.Tally tally = Figures.Tally.of(some);
      rows.add(new OfType(type, tally.depth(), tally.running(), tally.byState()));
    });
    return rows;
  }
}
