package io.sluice.server.urlgroup;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.WaitingJobs;
import io.sluice.postgres.Call;
import io.sluice.postgres.Database;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;

/** The jobs of a group: how many there are, and those that wait. */
public final class GroupJobs {
  private final Sluice sluice;
  private final Database database;
  private final boolean inDatabase;
  private final InstantSource clock;

  /**
   * @param inDatabase true when the jobs are kept in this database, which counts them best
   */
  public GroupJobs(Sluice sluice, Database database, boolean inDatabase, InstantSource clock) {
    this.sluice = sluice;
    this.database = database;
    this.inDatabase = inDatabase;
    this.clock = clock;
  }

  /** Cancels the jobs that wait for a group, if that is wanted; otherwise throws CONFLICT for them. */
  void clear(String tenant, String group, boolean force) {
    if (force) {
      sluice.cancelWaiting(WaitingJobs.ofUrlGroup(tenant, group), "its URL group was deleted");
      return;
    }
    JobFilter waiting =
        of(tenant, group).in(JobState.PENDING, JobState.SCHEDULED, JobState.RETRYING);
    if (!sluice.page(waiting, null, PageSize.states(1)).items().isEmpty()) {
      throw new SluiceException(
          ErrorCode.CONFLICT,
          "jobs wait for this URL group; delete it with ?force=true to cancel them");
    }
  }

  private static JobFilter of(String tenant, String group) {
    return JobFilter.all().inTenant(tenant).inUrlGroup(group);
  }

  /** The jobs of a group by state, and those of them that ended within this time. */
  Figures figures(UrlGroup group, Duration window) {
    return inDatabase ? counted(group, window) : lookedAt(group, window);
  }

  private Figures counted(UrlGroup group, Duration window) {
    return database.run(connection -> {
      try (Call call = database.call(connection, "url-group-counts")) {
        Map<JobState, Long> jobs = new EnumMap<>(JobState.class);
        Map<JobState, Long> ended = new EnumMap<>(JobState.class);
        call.set("tenant", group.tenant())
            .set("name", group.name())
            .set("seconds", (int) Math.max(1, window.toSeconds()))
            .list(row -> {
              JobState state = JobState.valueOf(row.getString("state"));
              ended.merge(state, row.getLong("recent"), Long::sum);
              return jobs.merge(state, row.getLong("jobs"), Long::sum);
            });
        return new Figures(jobs, ended);
      }
    });
  }

  private Figures lookedAt(UrlGroup group, Duration window) {
    Instant since = clock.instant().minus(window);
    Map<JobState, Long> jobs = new EnumMap<>(JobState.class);
    Map<JobState, Long> ended = new EnumMap<>(JobState.class);
    String cursor = null;
    do {
      Page<JobRecord> page = sluice.page(
          of(group.tenant(), group.name()), cursor, PageSize.states(Defaults.LARGEST_PAGE));
      for (JobRecord job : page.items()) {
        jobs.merge(job.state(), 1L, Long::sum);
        Instant finished = job.status().finishedAt();
        if (finished != null && finished.isAfter(since)) {
          ended.merge(job.state(), 1L, Long::sum);
        }
      }
      cursor = page.nextCursor();
    } while (cursor != null);
    return new Figures(jobs, ended);
  }
}
