package io.sluice.server.job;

import io.sluice.CancelResult;
import io.sluice.Defaults;
import io.sluice.Detail;
import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.audit.Audit;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Routes;
import io.sluice.store.JobBytes;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Jobs: put in one by one or many at once, looked at, explained, cancelled, run again. */
public final class JobsResource {
  /** Enough for any body of the size that a job may carry, however its bytes are spelled in JSON. */
  private static final long LARGEST_JOB = Defaults.MAX_ENVELOPE_BYTES;

  private static final String CASCADE = "cascade";
  private static final String CANCELLED = "cancelled on request";

  private record Batch(@Nullable List<@Nullable JobBody> jobs) {}

  private record Accepted(UUID id, JobState state, String queue, boolean duplicate) {}

  private record BatchAccepted(List<Enqueued> items) {}

  private final Sluice sluice;
  private final JobReader reader;
  private final Enqueuer enqueuer;
  private final JobViews views;
  private final JobLists lists;
  private final Audit audit;

  public JobsResource(
      Sluice sluice,
      JobReader reader,
      Enqueuer enqueuer,
      JobViews views,
      JobLists lists,
      Audit audit) {
    this.sluice = sluice;
    this.reader = reader;
    this.enqueuer = enqueuer;
    this.views = views;
    this.lists = lists;
    this.audit = audit;
  }

  public Routes addTo(Routes routes) {
    return routes
        .post("/v1/jobs", Access.PRODUCE, LARGEST_JOB, this::create)
        .post("/v1/jobs/batch", Access.PRODUCE, Defaults.MAX_BATCH_BYTES, this::createAll)
        .get("/v1/jobs", Access.READ, lists::ofTenant)
        .get("/v1/jobs/{id}", Access.READ, this::show)
        .get("/v1/jobs/{id}/explain", Access.READ, this::explain)
        .delete("/v1/jobs/{id}", Access.PRODUCE, this::cancel)
        .post("/v1/jobs/{id}/retry", Access.OPERATE, this::retry);
  }

  private Answer create(Call call) {
    call.query().only();
    JobReader.Around around = new JobReader.Around(
        call.header("Idempotency-Key").orElse(null), call.header("traceparent").orElse(null));
    JobRequest job = reader.read(call.tenant(), call.body(JobBody.class), around);
    Enqueued taken = enqueuer.enqueue(job);
    Accepted accepted =
        new Accepted(taken.id(), taken.state(), job.lane().queue(), taken.duplicate());
    Answer answer = taken.duplicate() ? Answer.ok(accepted) : Answer.created(accepted);
    return answer.with("Location", "/v1/jobs/" + taken.id());
  }

  private Answer createAll(Call call) {
    call.query().only();
    List<@Nullable JobBody> bodies = JobBodies.checked(call.body(Batch.class).jobs(), 1);
    if (call.header("Idempotency-Key").isPresent()) {
      throw new Invalid(
          "Idempotency-Key", "is for a single job: give each job an idempotencyKey of its own");
    }
    List<JobRequest> jobs = new JobBodies(reader).all(call.tenant(), bodies);
    return Answer.created(new BatchAccepted(enqueuer.enqueueAll(jobs, JobBodies::place)));
  }

  private Answer show(Call call) {
    call.query().only();
    return whole(call);
  }

  /** The whole job in the path. */
  private Answer whole(Call call) {
    JobRecord job = find(sluice, call, Detail.FULL);
    call.answering(JobBytes.of(job));
    return Answer.ok(views.of(job));
  }

  private JobRecord known(Call call) {
    return find(sluice, call);
  }

  /** The job in the path of any route below jobs, if it is one of the tenant, without its payload and result. */
  public static JobRecord find(Sluice sluice, Call call) {
    return find(sluice, call, Detail.STATE);
  }

  private static JobRecord find(Sluice sluice, Call call, Detail detail) {
    UUID id = Checks.id(call.path("id"), () -> unknown(call));
    return sluice
        .find(id, detail)
        .filter(job -> job.tenant().equals(call.tenant()))
        .orElseThrow(() -> unknown(call));
  }

  public static SluiceException unknown(Call call) {
    return new SluiceException(ErrorCode.NOT_FOUND, "there is no job '" + call.path("id") + "'");
  }

  private Answer explain(Call call) {
    call.query().only();
    return sluice
        .explain(known(call).id())
        .map(ExplanationView::of)
        .map(Answer::ok)
        .orElseThrow(() -> unknown(call));
  }

  private static boolean cascades(Call call) {
    return call.query().only(CASCADE).flag(CASCADE);
  }

  private Answer cancel(Call call) {
    boolean all = cascades(call);
    UUID id = known(call).id();
    CancelResult result = all ? sluice.cancelAll(id, CANCELLED) : sluice.cancel(id);
    if (result == CancelResult.CANCELLED) {
      audit.write(
          call.caller(), call.tenant(), all ? "job.cancel-all" : "job.cancel", id.toString());
      return whole(call);
    }
    throw new SluiceException(
        ErrorCode.CONFLICT,
        "the job is " + known(call).state() + ": only one that is not over can be cancelled");
  }

  private Answer retry(Call call) {
    boolean all = cascades(call);
    UUID id = known(call).id();
    if (!(all ? sluice.replayAll(id) : sluice.replay(id))) {
      throw new SluiceException(
          ErrorCode.CONFLICT,
          "the job is " + known(call).state()
              + ": only one that is DEAD, FAILED, CANCELLED or held can be run again, or one that was"
              + " tried before and waits for its next attempt");
    }
    audit.write(call.caller(), call.tenant(), all ? "job.retry-all" : "job.retry", id.toString());
    return whole(call);
  }
}
