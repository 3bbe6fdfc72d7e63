package io.sluice.server.queue;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.LimitState;
import io.sluice.Names;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.QueueSettings;
import io.sluice.Scope;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.WaitingJobs;
import io.sluice.server.access.Access;
import io.sluice.server.audit.Audit;
import io.sluice.server.audit.Changes;
import io.sluice.server.job.JobLists;
import io.sluice.server.quota.Quota;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.server.stats.Figures;
import io.sluice.store.Limits;
import io.sluice.store.QueueRecord;
import io.sluice.store.QueueSize;
import io.sluice.store.Queues;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Queues: made, changed, paused, emptied, removed, and looked at. */
public final class QueuesResource {
  private record Purged(long cancelled) {}

  /** What queues are changed with, and what they are looked at with. */
  public record Parts(
      Turns turns,
      BiPredicate<String, String> urlGroupExists,
      JobLists lists,
      Figures figures,
      Cursors cursors,
      Limits limits) {}

  private final Sluice sluice;
  private final Queues queues;
  private final Parts parts;
  private final Audit audit;
  private final Changes changes = new Changes(new Json());

  public QueuesResource(Sluice sluice, Parts parts, Audit audit) {
    this.sluice = sluice;
    this.queues = sluice.queues();
    this.parts = parts;
    this.audit = audit;
  }

  public Routes addTo(Routes routes) {
    return routes
        .post("/v1/queues", Access.OPERATE, this::create)
        .get("/v1/queues", Access.READ, call -> Answer.ok(list(call.tenant(), call.query())))
        .get("/v1/queues/{id}", Access.READ, call -> Answer.ok(view(find(call))))
        .put("/v1/queues/{id}", Access.OPERATE, this::change)
        .delete("/v1/queues/{id}", Access.OPERATE, this::delete)
        .get("/v1/queues/{id}/metrics", Access.READ, this::metrics)
        .get("/v1/queues/{id}/jobs", Access.READ, this::jobs)
        .post("/v1/queues/{id}/pause", Access.OPERATE, call -> pause(call, true))
        .post("/v1/queues/{id}/resume", Access.OPERATE, call -> pause(call, false))
        .post("/v1/queues/{id}/purge", Access.OPERATE, this::purge);
  }

  // ---- looking

  /** The queues of a tenant, by name. */
  public Page<?> list(String tenant, Query query) {
    query.onlyPaged();
    String list = "queues of " + tenant;
    // Every tenant has this one, and asking for it makes it.
    queues.find(tenant, Defaults.QUEUE);
    int limit = query.limit();
    List<QueueRecord> found = queues.list(tenant, parts.cursors.open(list, query), limit + 1);
    List<QueueRecord> shown = found.subList(0, Math.min(limit, found.size()));
    String next = found.size() > limit ? shown.getLast().name() : null;
    return parts.cursors.page(list, views(shown), next);
  }

  private QueueView view(QueueRecord queue) {
    return views(List.of(queue)).getFirst();
  }

  private List<QueueView> views(List<QueueRecord> shown) {
    List<QueueSize> sizes =
        shown.stream().anyMatch(q -> q.settings().maxSize() != null) ? queues.sizes() : List.of();
    return shown.stream()
        .map(queue -> QueueView.of(queue, size(queue, sizes), running(queue), sluice.marks()))
        .toList();
  }

  private static @Nullable Long size(QueueRecord queue, List<QueueSize> sizes) {
    return sizes.stream()
        .filter(s -> s.tenant().equals(queue.tenant()) && s.queue().equals(queue.name()))
        .map(QueueSize::unfinished)
        .findFirst()
        .orElse(null);
  }

  private @Nullable Integer running(QueueRecord queue) {
    return queue.settings().maxConcurrent() == null
        ? null
        : parts
            .limits
            .state(Scope.queue(queue.tenant(), queue.name()))
            .map(LimitState::running)
            .orElse(null);
  }

  private QueueRecord find(Call call) {
    call.query().only();
    return found(call);
  }

  private QueueRecord found(Call call) {
    return QueuesResource.find(queues, call.tenant(), call.path("id"));
  }

  /** The queue of a tenant with this id or name. */
  public static QueueRecord find(Queues queues, String tenant, String idOrName) {
    Optional<QueueRecord> queue = Optional.empty();
    if (Checks.isUuid(idOrName)) {
      queue = queues.find(tenant, UUID.fromString(idOrName));
    } else if (Names.isName(idOrName)) {
      queue = queues.find(tenant, idOrName);
    }
    return queue.orElseThrow(
        () -> new SluiceException(ErrorCode.NOT_FOUND, "there is no queue '" + idOrName + "'"));
  }

  private Answer metrics(Call call) {
    QueueRecord queue = find(call);
    return Answer.ok(QueueMetrics.of(view(queue), parts.figures));
  }

  private Answer jobs(Call call) {
    QueueRecord queue = found(call);
    return parts.lists.ofQueue(call, queue.name());
  }

  // ---- changing

  private Answer create(Call call) {
    call.query().only();
    QueueBody body = call.body(QueueBody.class);
    Checks checks = new Checks().name("name", body.name());
    String name = String.valueOf(body.name());
    checkGroup(checks, call.tenant(), body.urlGroup());
    checks.done();
    QueueSettings settings = body.settings(new Checks(), QueueSettings.of(call.tenant(), name));
    requireNew(call.tenant(), name);
    String details = changes.between(null, QueueBody.of(settings));
    QueueRecord made = audit.around(
        line(call, "queue.create", name, details),
        () -> parts.turns.making(call.tenant(), name, Quota.QUEUES, room -> {
          requireNew(call.tenant(), name);
          room.require(() -> queues.list(call.tenant(), null, Integer.MAX_VALUE).size());
          return queues.save(settings);
        }));
    return Answer.created(view(made)).with("Location", "/v1/queues/" + made.id());
  }

  private void requireNew(String tenant, String name) {
    if (queues.find(tenant, name).isPresent()) {
      throw new SluiceException(ErrorCode.CONFLICT, "there is a queue '" + name + "' already");
    }
  }

  private void checkGroup(Checks checks, String tenant, @Nullable String group) {
    checks.require(
        group == null || parts.urlGroupExists.test(tenant, group),
        "urlGroup",
        "must be a URL group of the tenant; there is no '" + group + "'");
  }

  private <T> T inTurn(Call call, String name, Supplier<T> work) {
    return parts.turns.inTurn(call.tenant(), name, work);
  }

  private Answer change(Call call) {
    QueueSettings now = find(call).settings();
    String details = changes.between(QueueBody.of(now), QueueBody.of(changed(call, now)));
    QueueRecord changed = audit.around(
        line(call, "queue.change", now.name(), details),
        () ->
            inTurn(call, now.name(), () -> queues.save(changed(call, found(call).settings()))));
    return Answer.ok(view(changed));
  }

  /** What a call makes of a queue, checked. */
  private QueueSettings changed(Call call, QueueSettings before) {
    QueueBody body = call.changed(QueueBody.of(before), QueueBody.class);
    Checks checks = new Checks()
        .require(
            before.name().equals(body.name()),
            "name",
            "must stay '" + before.name() + "': a name cannot be changed");
    if (!Objects.equals(body.urlGroup(), before.urlGroup())) {
      checkGroup(checks, call.tenant(), body.urlGroup());
    }
    return body.settings(checks, before);
  }

  private Answer pause(Call call, boolean paused) {
    String name = find(call).name();
    Audit.AuditLine line = line(call, paused ? "queue.pause" : "queue.resume", name, null);
    audit.around(line, () -> inTurn(call, name, () -> queues.pause(call.tenant(), name, paused)));
    return Answer.ok(view(found(call)));
  }

  private Answer purge(Call call) {
    QueueRecord queue = find(call);
    long cancelled = audit.around(
        line(call, "queue.purge", queue.name(), null),
        () -> cancelWaiting(queue, "its queue was purged"));
    return Answer.ok(new Purged(cancelled));
  }

  private long cancelWaiting(QueueRecord queue, String reason) {
    return sluice.cancelWaiting(WaitingJobs.ofQueue(queue.tenant(), queue.name()), reason);
  }

  private void cancelRunning(QueueRecord queue, String reason) {
    JobFilter running =
        JobFilter.all().inTenant(queue.tenant()).inQueue(queue.name()).in(JobState.RUNNING);
    String cursor = null;
    do {
      Page<JobRecord> page = sluice.page(running, cursor, PageSize.states(Defaults.LARGEST_PAGE));
      page.items().forEach(job -> sluice.cancel(job.id(), reason));
      cursor = page.nextCursor();
    } while (cursor != null);
  }

  private Answer delete(Call call) {
    boolean force = call.query().only("force").flag("force");
    QueueRecord queue = found(call);
    if (queue.name().equals(Defaults.QUEUE)) {
      throw new SluiceException(
          ErrorCode.CONFLICT, "the queue 'default' cannot be removed: every tenant has it");
    }
    String details = force ? "with its unfinished jobs" : null;
    audit.around(
        line(call, "queue.delete", queue.name(), details),
        () -> inTurn(call, queue.name(), () -> {
          remove(queue, force);
          return true;
        }));
    return Answer.none();
  }

  private static Audit.AuditLine line(
      Call call, String action, String queue, @Nullable String details) {
    return new Audit.AuditLine(call.caller(), call.tenant(), action, queue, details);
  }

  private void remove(QueueRecord queue, boolean force) {
    if (queues.delete(queue.tenant(), queue.name())) {
      return;
    }
    if (!force) {
      throw new SluiceException(
          ErrorCode.CONFLICT,
          "the queue '" + queue.name() + "' has unfinished jobs; force=true cancels them");
    }
    // Paused first, so that nothing is claimed that is not seen here.
    queues.pause(queue.tenant(), queue.name(), true);
    cancelRunning(queue, "its queue was deleted");
    cancelWaiting(queue, "its queue was deleted");
    if (!queues.delete(queue.tenant(), queue.name())) {
      queues.pause(queue.tenant(), queue.name(), queue.settings().paused());
      throw new SluiceException(
          ErrorCode.CONFLICT,
          "the queue '" + queue.name() + "' got new jobs while its jobs were cancelled; try again");
    }
  }
}
