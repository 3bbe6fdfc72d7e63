package io.sluice.server.pull;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.sluice.Defaults;
import io.sluice.ErrorClass;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.Names;
import io.sluice.RemoteClaim;
import io.sluice.RemoteFailure;
import io.sluice.RemoteHeartbeat;
import io.sluice.RemoteJob;
import io.sluice.RemoteProgress;
import io.sluice.RemoteWorkers;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.job.JobView;
import io.sluice.server.job.JobViews;
import io.sluice.server.queue.QueuesResource;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.RawJson;
import io.sluice.server.rest.Routes;
import io.sluice.store.JobBytes;
import io.sluice.store.Queues;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The desk for workers that come over HTTP: they claim jobs, give signs of life, and report. */
public final class PullResource {
  private static final Logger LOG = LoggerFactory.getLogger(PullResource.class);

  /** A result of the largest size, and the field it stands in. */
  private static final long LARGEST_RESULT = Defaults.MAX_PAYLOAD_BYTES + Routes.SMALL_BODY;

  private record ClaimBody(
      @Nullable String worker,
      @Nullable Integer max,
      @Nullable List<String> types,
      @Nullable Duration leaseFor,
      @JsonProperty("wait") @Nullable Duration waitFor) {}

  private record Claimed(List<Item> items) {}

  private record Item(String lease, Instant leaseUntil, JobView job) {}

  private record HeartbeatBody(
      @Nullable Duration extendBy, @Nullable ProgressBody progress) {}

  private record ProgressBody(
      @Nullable Integer percent, @Nullable String message) {}

  private record CompleteBody(@Nullable RawJson result) {}

  private record FailBody(
      @Nullable ErrorBody error,
      @Nullable Boolean retry,
      @Nullable Instant retryAt) {}

  private record ErrorBody(
      @Nullable String message,
      @Nullable String code,
      @JsonProperty("class") @Nullable ErrorClass errorClass) {}

  private record Ended(UUID id, JobState state) {}

  private final RemoteWorkers workers;
  private final Queues queues;
  private final JobViews views;
  private final Leases leases;

  public PullResource(RemoteWorkers workers, Queues queues, JobViews views, Leases leases) {
    this.workers = workers;
    this.queues = queues;
    this.views = views;
    this.leases = leases;
  }

  public Routes addTo(Routes routes) {
    return routes
        .post("/v1/queues/{id}/claim", Access.WORK, this::claim)
        .post("/v1/leases/{lease}/heartbeat", Access.WORK, this::heartbeat)
        .post("/v1/leases/{lease}/complete", Access.WORK, LARGEST_RESULT, this::complete)
        .post("/v1/leases/{lease}/fail", Access.WORK, this::fail);
  }

  private Answer claim(Call call) {
    call.query().only();
    ClaimBody body = call.body(ClaimBody.class);
    List<String> types = body.types() == null ? List.of() : body.types();
    Checks checks = new Checks().require(body.worker() != null, "worker", "is missing");
    for (int i = 0; i < types.size(); i++) {
      String type = types.get(i);
      checks.take("types[" + i + "]", () -> Names.checkType(type));
    }
    checks.done();
    String queue = QueuesResource.find(queues, call.tenant(), call.path("id")).name();
    Duration length = body.leaseFor() == null ? Defaults.LEASE : body.leaseFor();
    List<RemoteJob> jobs = workers.claim(new RemoteClaim(
        call.tenant(),
        queue,
        String.valueOf(body.worker()),
        Set.copyOf(types),
        body.max() == null ? 1 : body.max(),
        length,
        body.waitFor() == null ? Duration.ZERO : body.waitFor()));
    Runnable giveBack = () -> giveBack(call.tenant(), jobs);
    try {
      call.answering(jobs.stream().mapToLong(PullResource::bytes).sum());
      return Answer.ok(new Claimed(items(call.tenant(), jobs, length))).ifUnsent(giveBack);
    } catch (RuntimeException e) {
      giveBack.run();
      throw e;
    }
  }

  private static long bytes(RemoteJob job) {
    return JobBytes.of(job.job())
        + job.results().stream()
            .mapToLong(result -> result.json() == null ? 0 : result.json().length())
            .sum();
  }

  /** Takes back what the worker never heard of, or leaves it to the end of the leases. */
  private void giveBack(String tenant, List<RemoteJob> jobs) {
    try {
      jobs.forEach(job -> workers.giveBack(tenant, job.lease()));
    } catch (SluiceException e) {
      LOG.warn("claimed jobs wait for their leases to end: {}", e.getMessage());
    }
  }

  private List<Item> items(String tenant, List<RemoteJob> jobs, Duration length) {
    List<Item> items = new ArrayList<>();
    try {
      List<JobView> shown = views.forWorker(jobs);
      for (int i = 0; i < jobs.size(); i++) {
        items.add(item(tenant, jobs.get(i), shown.get(i), length));
      }
    } catch (RuntimeException e) {
      if (isOutage(e)) {
        throw e;
      }
      // One that cannot be shown must not keep the others from their worker.
      items.clear();
      jobs.forEach(job -> items.addAll(itemIfShown(tenant, job, length)));
    }
    return items;
  }

  private Item item(String tenant, RemoteJob job, JobView shown, Duration length) {
    String lease = leases.name(tenant, new Leases.Lease(job.lease(), length));
    return new Item(lease, job.leaseUntil(), shown);
  }

  /** The job as its worker gets it; none where it cannot be shown, which fails the attempt. */
  private List<Item> itemIfShown(String tenant, RemoteJob job, Duration length) {
    try {
      return List.of(item(tenant, job, views.forWorker(List.of(job)).getFirst(), length));
    } catch (RuntimeException e) {
      if (isOutage(e)) {
        throw e;
      }
      LOG.warn("job {} could not be shown to its worker", job.job().id(), e);
      workers.fail(
          tenant,
          job.lease(),
          new RemoteFailure(
              ErrorClass.UNKNOWN,
              ErrorCode.INTERNAL.name(),
              "the job could not be shown to its worker; the log of the server says why",
              true,
              null));
      return List.of();
    }
  }

  private static boolean isOutage(RuntimeException e) {
    return e instanceof SluiceException known && known.code() == ErrorCode.PERSISTENCE_FAILURE;
  }

  private Answer heartbeat(Call call) {
    HeartbeatBody body = call.bodyOrEmpty(HeartbeatBody.class);
    RemoteProgress progress = progress(body.progress());
    RemoteHeartbeat answer = held(
        call,
        (tenant, lease) -> workers.heartbeat(
            tenant,
            lease.ref(),
            body.extendBy() == null ? lease.length() : body.extendBy(),
            progress));
    return Answer.ok(answer);
  }

  private static @Nullable RemoteProgress progress(@Nullable ProgressBody body) {
    if (body == null) {
      return null;
    }
    Integer percent = body.percent();
    new Checks().require(percent != null, "progress.percent", "is missing").done();
    return new RemoteProgress(
        percent == null ? 0 : percent, body.message() == null ? "" : body.message());
  }

  private Answer complete(Call call) {
    RawJson given = call.bodyOrEmpty(CompleteBody.class).result();
    String result = given == null || given.text().equals("null") ? null : given.text();
    if (given != null && given.bytes() > Defaults.MAX_PAYLOAD_BYTES) {
      throw new SluiceException(
          ErrorCode.TOO_LARGE,
          "result must be at most " + Defaults.MAX_PAYLOAD_BYTES + " bytes of JSON");
    }
    return held(call, (tenant, lease) -> {
      workers.complete(tenant, lease.ref(), result);
      return Answer.ok(new Ended(lease.ref().job(), JobState.COMPLETED));
    });
  }

  private Answer fail(Call call) {
    FailBody body = call.bodyOrEmpty(FailBody.class);
    boolean retry = !Boolean.FALSE.equals(body.retry());
    new Checks()
        .require(
            retry || body.retryAt() == null, "retryAt", "must not be given where retry is false")
        .done();
    ErrorBody error = body.error() == null ? new ErrorBody(null, null, null) : body.error();
    RemoteFailure failure = new RemoteFailure(
        error.errorClass() == null ? ErrorClass.UNKNOWN : error.errorClass(),
        error.code() == null ? ErrorCode.HANDLER_FAILED.name() : error.code(),
        error.message() == null ? "the worker gave no reason" : error.message(),
        retry,
        body.retryAt());
    return held(
        call,
        (tenant, lease) ->
            Answer.ok(new Ended(lease.ref().job(), workers.fail(tenant, lease.ref(), failure))));
  }

  /** Acts on the lease in the path. A lease of ours whose job is gone altogether is a lost one. */
  private <T> T held(Call call, BiFunction<String, Leases.Lease, T> act) {
    call.query().only();
    Leases.Lease lease = leases.find(call.tenant(), call.path("lease"));
    try {
      return act.apply(call.tenant(), lease);
    } catch (SluiceException e) {
      throw e.code() == ErrorCode.NOT_FOUND
          ? new SluiceException(ErrorCode.LEASE_LOST, "the job of this lease is gone", e)
          : e;
    }
  }
}
