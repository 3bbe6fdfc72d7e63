package io.sluice.server.urlgroup;

import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Page;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import java.util.List;

/** The jobs of a group that wait. */
public final class GroupJobs {
  private static final int PAGE = 250;

  private final Sluice sluice;

  public GroupJobs(Sluice sluice) {
    this.sluice = sluice;
  }

  /** Cancels the jobs that wait for a group, if that is wanted; otherwise throws CONFLICT for them. */
  void clear(String tenant, String group, boolean force) {
    JobFilter waiting = JobFilter.all()
        .inTenant(tenant)
        .in(JobState.PENDING, JobState.SCHEDULED, JobState.RETRYING);
    String cursor = null;
    do {
      Page<JobRecord> page = sluice.page(waiting, cursor, PAGE);
      List<JobRecord> own = page.items().stream()
          .filter(job -> job.lane().urlGroup().equals(group))
          .toList();
      if (!own.isEmpty() && !force) {
        throw new SluiceException(
            ErrorCode.CONFLICT,
            "jobs wait for this URL group; delete it with ?force=true to cancel them");
      }
      own.forEach(job -> sluice.cancel(job.id(), "its URL group was deleted"));
      cursor = page.nextCursor();
    } while (cursor != null);
  }
}
