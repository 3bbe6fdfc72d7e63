package io.sluice.server.job;

import io.sluice.CancelResult;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.Sluice;
import io.sluice.server.access.Access;
import io.sluice.server.audit.Audit;
import io.sluice.server.rest.Answer;
import io.sluice.server.rest.Call;
import io.sluice.server.rest.Invalid;
import io.sluice.server.rest.Routes;
import io.sluice.store.JobStore;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Cancels and retries many jobs in one call, by their ids or by a filter. */
public final class BulkJobsResource {
  private static final Set<JobState> CANCELLABLE =
      EnumSet.of(JobState.SCHEDULED, JobState.PENDING, JobState.RUNNING, JobState.RETRYING);
  private static final Set<JobState> RETRIABLE = EnumSet.of(
      JobState.SCHEDULED, JobState.RETRYING, JobState.FAILED, JobState.DEAD, JobState.CANCELLED);
  /** Without a state in the filter: what a person cancelled stays so, and what waits for its time waits on. */
  private static final Set<JobState> RETRIED =
      EnumSet.of(JobState.RETRYING, JobState.FAILED, JobState.DEAD);

  /** Enough for as many ids as a call takes. */
  private static final long LARGEST = 1L << 20;

  private final Sluice sluice;
  private final BulkJobs bulk;
  private final Audit audit;

  public BulkJobsResource(
      Sluice sluice, JobStore store, JobViews views, Audit audit, LongSupplier nanoTime) {
    this.sluice = sluice;
    this.bulk = new BulkJobs(store, views::shows, nanoTime);
    this.audit = audit;
  }

  public Routes addTo(Routes routes) {
    return routes
        .post("/v1/jobs/retry", Access.OPERATE, LARGEST, this::retry)
        .post("/v1/jobs/cancel", Access.PRODUCE, LARGEST, this::cancel);
  }

  private Answer retry(Call call) {
    BulkSelection jobs = selection(call, RETRIABLE, RETRIED);
    return changed(call, "jobs.retry", jobs, sluice::replay);
  }

  private Answer cancel(Call call) {
    BulkSelection jobs = selection(call, CANCELLABLE, CANCELLABLE);
    return changed(call, "jobs.cancel", jobs, id -> sluice.cancel(id) == CancelResult.CANCELLED);
  }

  private Answer changed(Call call, String action, BulkSelection jobs, Predicate<UUID> change) {
    BulkJobs.Changed changed = bulk.each(jobs, change);
    audit.write(call.caller(), call.tenant(), action, changed.changed() + " jobs");
    return Answer.ok(changed);
  }

  /** Those that are meant, in the states in which the call can change a job. */
  private static BulkSelection selection(Call call, Set<JobState> possible, Set<JobState> usual) {
    call.query().only();
    BulkSelection given = BulkReader.selection(call);
    JobFilter filter = given.filter();
    if (!possible.containsAll(filter.states())) {
      throw new Invalid(
          "state",
          "must be one or more of "
              + possible.stream().map(JobState::name).collect(Collectors.joining(", "))
              + ", with commas between");
    }
    return filter.states().isEmpty()
        ? new BulkSelection(filter.in(usual.toArray(JobState[]::new)), given.ids())
        : given;
  }
}
