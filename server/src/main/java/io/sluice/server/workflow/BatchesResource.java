package io.sluice.server.workflow;

import io.sluice.BatchRecord;
import io.sluice.BatchRequest;
import io.sluice.BatchStarted;
import io.sluice.Defaults;
import io.sluice.Detail;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.Step;
import io.sluice.server.access.Access;
import io.sluice.server.audit.Audit;
import io.sluice.server.job.Enqueuer;
import io.sluice.server.job.JobBodies;
import io.sluice.server.job.JobBody;
import io.sluice.server.pull.Leases;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import io.sluice.server.seal.Cursors;
import io.sluice.store.ClaimRef;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Batches: many jobs at once that may wait for each other, counted together, with a job for their end. */
public final class BatchesResource {
  private static final String CANCELLED = "its batch was cancelled on request";

  private static final String KEY = "Idempotency-Key";

  private record MoreBody(@Nullable String lease, @Nullable List<@Nullable JobBody> jobs) {}

  private record Item(String name, UUID id, JobState state) {}

  private record Started(
      UUID id, boolean duplicate, @Nullable UUID callback, List<Item> items) {}

  private record Added(List<Enqueued> items) {}

  private record Cancelled(UUID id, long cancelled) {}

  private final Sluice sluice;
  private final JobBodies jobs;
  private final Enqueuer enqueuer;
  private final Leases leases;
  private final Cursors cursors;
  private final Audit audit;

  public BatchesResource(
      Sluice sluice,
      JobBodies jobs,
      Enqueuer enqueuer,
      Leases leases,
      Cursors cursors,
      Audit audit) {
    this.sluice = sluice;
    this.jobs = jobs;
    this.enqueuer = enqueuer;
    this.leases = leases;
    this.cursors = cursors;
    this.audit = audit;
  }

  public Routes addTo(Routes routes) {
    return routes
        .post("/v1/batches", Access.PRODUCE, Defaults.MAX_BATCH_BYTES, this::create)
        .get("/v1/batches", Access.READ, this::list)
        .get("/v1/batches/{id}", Access.READ, this::read)
        .delete("/v1/batches/{id}", Access.PRODUCE, this::cancel)
        .post("/v1/batches/{id}/jobs", Access.EXTEND, Defaults.MAX_BATCH_BYTES, this::add)
        .post("/v1/batches/{id}/close", Access.PRODUCE, this::close);
  }

  private Answer create(Call call) {
    call.query().only();
    BatchReader.Around around = new BatchReader.Around(
        call.header(KEY).orElse(null), call.header("traceparent").orElse(null));
    BatchRequest batch =
        new BatchReader(jobs).read(call.tenant(), call.body(BatchBody.class), around);
    batch.parent().ifPresent(parent -> checkParent(call, parent));
    BatchStarted started = enqueuer.start(batch);
    Started answer = new Started(
        started.id(), started.duplicate(), started.callback(), items(batch.steps(), started));
    return (started.duplicate() ? Answer.ok(answer) : Answer.created(answer))
        .with("Location", "/v1/batches/" + started.id());
  }

  private void checkParent(Call call, UUID parent) {
    if (find(call, parent) == null) {
      throw SluiceException.notFound("parent", "there is no batch '" + parent + "'");
    }
  }

  private static List<Item> items(List<Step> steps, BatchStarted started) {
    List<Item> items = new ArrayList<>();
    for (int i = 0; i < started.jobs().size(); i++) {
      Enqueued job = started.jobs().get(i);
      items.add(new Item(steps.get(i).name(), job.id(), job.state()));
    }
    return items;
  }

  private Answer list(Call call) {
    Query query = call.query().onlyPaged();
    String list = "batches of " + call.tenant();
    String cursor = cursors.open(list, query);
    int limit = query.limit();
    List<BatchRecord> shown = sluice
        .batches()
        .list(call.tenant(), cursor == null ? null : UUID.fromString(cursor), limit);
    boolean more = shown.size() == limit && isAnyAfter(call.tenant(), shown.getLast());
    return Answer.ok(cursors.page(
        list,
        shown.stream().map(BatchView::of).toList(),
        more ? shown.getLast().id().toString() : null));
  }

  private boolean isAnyAfter(String tenant, BatchRecord last) {
    return !sluice.batches().list(tenant, last.id(), 1).isEmpty();
  }

  private Answer read(Call call) {
    call.query().only();
    return Answer.ok(BatchView.of(find(call)));
  }

  /** The batch in the path, if it is one of the tenant. */
  private BatchRecord find(Call call) {
    BatchRecord found = find(call, Checks.id(call.path("id"), () -> unknown(call)));
    if (found == null) {
      throw unknown(call);
    }
    return found;
  }

  private @Nullable BatchRecord find(Call call, UUID id) {
    return sluice
        .batches()
        .find(id)
        .filter(batch -> batch.tenant().equals(call.tenant()))
        .orElse(null);
  }

  private static SluiceException unknown(Call call) {
    return new SluiceException(ErrorCode.NOT_FOUND, "there is no batch '" + call.path("id") + "'");
  }

  private Answer cancel(Call call) {
    call.query().only();
    BatchRecord batch = find(call);
    if (batch.isOver()) {
      throw new SluiceException(
          ErrorCode.CONFLICT, "the batch is over: only one that is not can be cancelled");
    }
    long cancelled = sluice.batches().cancel(batch.id(), CANCELLED);
    audit.write(call.caller(), call.tenant(), "batch.cancel", batch.id().toString());
    return Answer.ok(new Cancelled(batch.id(), cancelled));
  }

  private Answer add(Call call) {
    call.query().only();
    if (call.header(KEY).isPresent()) {
      throw new Invalid(
          KEY,
          "is not for jobs that join a batch; to send them again without harm, make them a batch with an"
              + " idempotencyKey and with this one as its parent");
    }
    UUID batch = find(call).id();
    MoreBody body = call.body(MoreBody.class);
    ClaimRef lease = lease(call, batch, body.lease());
    List<JobRequest> requests = jobs.all(call.tenant(), JobBodies.checked(body.jobs(), 1));
    return Answer.created(new Added(enqueuer.add(
        requests,
        () -> lease == null
            ? sluice.batches().add(batch, requests)
            : sluice.remote().addToBatch(call.tenant(), lease, requests))));
  }

  /** The lease under which jobs are added; a producer needs none while the batch is open. */
  private @Nullable ClaimRef lease(Call call, UUID batch, @Nullable String name) {
    Access needed = name == null ? Access.PRODUCE : Access.WORK;
    if (!call.caller().role().may(needed)) {
      throw new SluiceException(
          ErrorCode.FORBIDDEN,
          name == null
              ? "a worker adds jobs under the lease of one that it has: give it as lease"
              : "a lease is a worker's: leave it out to add jobs as a producer");
    }
    if (name == null) {
      return null;
    }
    ClaimRef lease = leases.find(call.tenant(), name).ref();
    boolean member = sluice
        .find(lease.job(), Detail.STATE)
        .filter(job -> batch.equals(job.spec().ties().batch()))
        .isPresent();
    if (!member) {
      throw new SluiceException(
          ErrorCode.LEASE_LOST, "the lease is none of a job of batch " + batch);
    }
    return lease;
  }

  private Answer close(Call call) {
    call.query().only();
    sluice.batches().close(find(call).id());
    return Answer.ok(BatchView.of(find(call)));
  }
}
