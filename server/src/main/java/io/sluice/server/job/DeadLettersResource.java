package io.sluice.server.job;

import io.sluice.Detail;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.audit.Audit;
import io.sluice.server.job.BulkJobs.Changed;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Query;
import io.sluice.server.rest.Routes;
import io.sluice.store.JobBytes;
import io.sluice.store.JobStore;
import io.sluice.store.ReasonCount;
import java.util.List;
import java.util.UUID;
import java.util.function.LongSupplier;

/** Dead letters: the jobs that failed for good and wait for a person. */
public final class DeadLettersResource {
  private record Figures(long total, List<ReasonCount> byReason) {}

  private record Replayed(long replayed, boolean more) {}

  private record Deleted(long deleted, boolean more) {}

  private final JobStore store;
  private final JobViews views;
  private final JobLists lists;
  private final BulkJobs bulk;
  private final Audit audit;

  public DeadLettersResource(
      JobStore store, JobViews views, JobLists lists, Audit audit, LongSupplier nanoTime) {
    this.store = store;
    this.views = views;
    this.lists = lists;
    this.bulk = new BulkJobs(store, views::shows, nanoTime);
    this.audit = audit;
  }

  public Routes addTo(Routes routes) {
    return routes
        .get("/v1/dlq", Access.READ, this::list)
        .get("/v1/dlq/stats", Access.READ, this::stats)
        .post("/v1/dlq/replay", Access.OPERATE, this::replayAll)
        .post("/v1/dlq/{jobId}/replay", Access.OPERATE, this::replay)
        .delete("/v1/dlq", Access.OPERATE, this::deleteAll)
        .delete("/v1/dlq/{jobId}", Access.OPERATE, this::delete);
  }

  private Answer list(Call call) {
    Query query = JobFilters.checked(call.query(), false);
    return lists.page(call, dead(JobFilters.of(call.tenant(), query)));
  }

  private static JobFilter dead(JobFilter filter) {
    return filter.in(JobState.DEAD);
  }

  private Answer stats(Call call) {
    JobFilter filter = JobFilters.of(call.tenant(), JobFilters.unsearched(call.query()));
    List<ReasonCount> reasons = store.deadReasons(filter);
    return Answer.ok(new Figures(reasons.stream().mapToLong(ReasonCount::jobs).sum(), reasons));
  }

  private Answer replay(Call call) {
    JobRecord job = find(call);
    require(store.replay(job.id()), call);
    audit.write(call.caller(), call.tenant(), "dead-letter.replay", job.id().toString());
    JobRecord whole = store.find(job.id()).orElseThrow(() -> unknown(call));
    call.answering(JobBytes.of(whole));
    return Answer.ok(views.of(whole));
  }

  private Answer delete(Call call) {
    JobRecord job = find(call);
    boolean deleted = store.delete(job.id());
    if (!deleted) {
      store.links().needing(job.id()).ifPresent(by -> {
        throw new SluiceException(
            ErrorCode.CONFLICT,
            "the job '" + job.id() + "' is kept for job " + by
                + ", which names it in after and is not over: retry or cancel that one first");
      });
    }
    require(deleted, call);
    audit.write(call.caller(), call.tenant(), "dead-letter.delete", job.id().toString());
    return Answer.none();
  }

  private static void require(boolean done, Call call) {
    if (!done) {
      throw notDead(call);
    }
  }

  private JobRecord find(Call call) {
    call.query().only();
    UUID id = Checks.id(call.path("jobId"), () -> unknown(call));
    JobRecord job = store
        .find(id, Detail.STATE)
        .filter(found -> found.tenant().equals(call.tenant()))
        .orElseThrow(() -> unknown(call));
    if (job.state() != JobState.DEAD) {
      throw notDead(call);
    }
    return job;
  }

  private static SluiceException unknown(Call call) {
    return new SluiceException(
        ErrorCode.NOT_FOUND, "there is no dead letter '" + call.path("jobId") + "'");
  }

  private static SluiceException notDead(Call call) {
    return new SluiceException(
        ErrorCode.CONFLICT,
        "the job '" + call.path("jobId") + "' is not a dead letter, or no longer");
  }

  private Answer replayAll(Call call) {
    call.query().only();
    Changed all = bulk.pages(dead(BulkReader.filter(call)), store::replayAll);
    audit.write(call.caller(), call.tenant(), "dead-letter.replay-all", all.changed() + " jobs");
    return Answer.ok(new Replayed(all.changed(), all.more()));
  }

  private Answer deleteAll(Call call) {
    Changed all = bulk.pages(dead(BulkReader.filterInQueryOrBody(call)), store::deleteAll);
    audit.write(call.caller(), call.tenant(), "dead-letter.delete-all", all.changed() + " jobs");
    return Answer.ok(new Deleted(all.changed(), all.more()));
  }
}
