package io.sluice.server.tenants;

import io.sluice.Defaults;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.PageSize;
import io.sluice.Sluice;
import io.sluice.WaitingJobs;
import java.util.List;

/** What becomes of the jobs, queues and URL groups of a tenant that is deleted. */
public final class TenantEnd {
  private static final String REASON = "the tenant was deleted";
  private static final JobState[] UNFINISHED = {
    JobState.SCHEDULED, JobState.PENDING, JobState.RUNNING, JobState.RETRYING
  };

  private final Tenants tenants;
  private final Sluice sluice;

  public TenantEnd(Tenants tenants, Sluice sluice) {
    this.tenants = tenants;
    this.sluice = sluice;
  }

  boolean hasUnfinishedJobs(String tenant) {
    return !unfinished(tenant, 1).isEmpty();
  }

  /** True while any job of the tenant is kept, finished or not. */
  boolean leavesJobs(String tenant) {
    return !sluice
        .page(JobFilter.all().inTenant(tenant), null, PageSize.states(1))
        .items()
        .isEmpty();
  }

  /** Cancels what is not finished, and removes queues, URL groups, limits, breakers and its size. */
  void of(String tenant) {
    sluice.cancelWaiting(WaitingJobs.ofTenant(tenant), REASON);
    // Those that run, and what came in meanwhile.
    List<JobRecord> found = unfinished(tenant, Defaults.LARGEST_PAGE);
    while (!found.isEmpty()) {
      found.forEach(job -> sluice.cancel(job.id(), REASON));
      found = unfinished(tenant, Defaults.LARGEST_PAGE);
    }
    sluice.queues().list().stream()
        .filter(queue -> queue.tenant().equals(tenant))
        .forEach(queue -> sluice.queues().delete(tenant, queue.name()));
    tenants.dropUrlGroups(tenant);
    tenants.dropLimits(tenant);
    sluice.breakers().list(tenant).forEach(breaker -> sluice.breakers().delete(breaker.scope()));
    tenants.dropSize(tenant);
  }

  /**
   * Ends once more what belongs to tenants that were deleted lately: an instance may have taken a job
   * just before it heard, or stopped half way. To be called every few seconds.
   */
  public void sweep() {
    tenants.justDeleted().forEach(this::of);
  }

  private List<JobRecord> unfinished(String tenant, int limit) {
    return sluice
        .page(JobFilter.all().inTenant(tenant).in(UNFINISHED), null, PageSize.states(limit))
        .items();
  }
}
