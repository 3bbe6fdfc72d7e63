package io.sluice.server.stats;

import io.sluice.Page;
import io.sluice.server.access.Access;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.store.WorkerRecord;
import io.sluice.store.WorkerSpec;
import io.sluice.store.Workers;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The live workers: the engines, which serve every tenant, and the pull workers of the tenant that the
 * caller acts for. An admin who names no tenant sees those of all.
 */
public final class WorkersResource {
  private enum Kind {
    ENGINE,
    PULL
  }

  private record View(
      long id,
      Kind kind,
      String name,
      @Nullable String tenant,
      @Nullable String queue,
      SortedSet<String> types,
      int slots,
      int running,
      Instant startedAt,
      Instant seenAt,
      Instant leaseUntil) {

    static View of(WorkerRecord worker) {
      WorkerSpec spec = worker.spec();
      return new View(
          worker.id(),
          spec.tenant() == null ? Kind.ENGINE : Kind.PULL,
          spec.name(),
          spec.tenant(),
          spec.queue(),
          new TreeSet<>(spec.types()),
          spec.slots(),
          worker.running(),
          worker.startedAt(),
          worker.seenAt(),
          worker.leaseUntil());
    }
  }

  private final Workers workers;
  private final Cursors cursors;

  public WorkersResource(Workers workers, Cursors cursors) {
    this.workers = workers;
    this.cursors = cursors;
  }

  public Routes addTo(Routes routes) {
    return routes.get("/v1/workers", Access.READ, call -> Answer.ok(list(call)));
  }

  private Page<View> list(Call call) {
    Query query = call.query().onlyPaged();
    String scope = StatsResource.scope(call);
    String list = scope == null ? "workers" : "workers of " + scope;
    String cursor = cursors.open(list, query);
    long after = cursor == null ? Long.MIN_VALUE : Long.parseLong(cursor);
    List<View> found = workers.live().stream()
        .filter(worker -> worker.id() > after && isShown(worker, scope))
        .sorted(Comparator.comparingLong(WorkerRecord::id))
        .limit(query.limit() + 1L)
        .map(View::of)
        .toList();
    boolean more = found.size() > query.limit();
    List<View> shown = more ? found.subList(0, query.limit()) : found;
    return cursors.page(list, shown, more ? String.valueOf(shown.getLast().id()) : null);
  }

  private static boolean isShown(WorkerRecord worker, @Nullable String scope) {
    String tenant = worker.spec().tenant();
    return scope == null || tenant == null || tenant.equals(scope);
  }
}
