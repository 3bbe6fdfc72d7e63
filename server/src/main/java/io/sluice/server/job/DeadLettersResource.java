package io.sluice.server.job;

import io.sluice.Defaults;
import io.sluice.Detail;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.SluiceException;
import io.sluice.server.access.Access;
import io.sluice.server.audit.Audit;
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
import java.util.function.Predicate;

/** Dead letters: the jobs that failed for good and wait for a person. */
public final class DeadLettersResource {
  private record Figures(long total, List<ReasonCount> byReason) {}

  private record Replayed(long replayed) {}

  private record Deleted(long deleted) {}

  private final JobStore store;
  private final JobViews views;
  private final JobLists lists;
  private final Audit audit;

  public DeadLettersResource(JobStore store, JobViews views, JobLists lists, Audit audit) {
    this.store = store;
    this.views = views;
    this.lists = lists;
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
    JobFilter filter = dead(BulkReader.filter(call));
    long replayed = forAll(filter, store::replay);
    audit.write(call.caller(), call.tenant(), "dead-letter.replay-all", replayed + " jobs");
    return Answer.ok(new Replayed(replayed));
  }

  private Answer deleteAll(Call call) {
    JobFilter filter = dead(BulkReader.filterInQueryOrBody(call));
    long deleted = forAll(filter, store::delete);
    audit.write(call.caller(), call.tenant(), "dead-letter.delete-all", deleted + " jobs");
    return Answer.ok(new Deleted(deleted));
  }

  /** Goes once over all that fit and are dead now; what dies meanwhile is not among them. */
  private long forAll(JobFilter filter, Predicate<UUID> act) {
    long done = 0;
    String cursor = null;
    Detail detail = filter.text() == null ? Detail.STATE : Detail.FULL;
    PageSize size = PageSize.of(Defaults.LARGEST_PAGE, detail);
    do {
      Page<JobRecord> page = store.page(filter, cursor, size);
      done += page.items().stream()
          .filter(job -> views.shows(job, filter))
          .map(JobRecord::id)
          .filter(act)
          .count();
      cursor = page.nextCursor();
    } while (cursor != null);
    return done;
  }
}
