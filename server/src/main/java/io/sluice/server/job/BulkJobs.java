package io.sluice.server.job;

import io.sluice.Defaults;
import io.sluice.Detail;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/** Changes many jobs, one after the other, for as long as one call may take. */
final class BulkJobs {
  private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();

  /**
   * How many jobs a call changed.
   *
   * @param more true when its time was up before it had looked at all of them
   */
  record Changed(long changed, boolean more) {}

  private final JobStore store;
  /** Says whether the caller may see why a job fits. */
  private final BiPredicate<JobRecord, JobFilter> shown;

  private final LongSupplier nanoTime;

  BulkJobs(JobStore store, BiPredicate<JobRecord, JobFilter> shown, LongSupplier nanoTime) {
    this.store = store;
    this.shown = shown;
    this.nanoTime = nanoTime;
  }

  /** Goes once over those that are meant; {@code change} says whether it changed one. */
  Changed each(BulkSelection jobs, Predicate<UUID> change) {
    long start = nanoTime.getAsLong();
    return jobs.ids().isEmpty()
        ? eachThatFits(jobs.filter(), change, start)
        : eachOfIds(jobs, change, start);
  }

  private Changed eachOfIds(BulkSelection jobs, Predicate<UUID> change, long start) {
    long changed = 0;
    for (UUID id : jobs.ids()) {
      if (isTimeUp(start)) {
        return new Changed(changed, true);
      }
      boolean known = store
          .find(id, Detail.STATE)
          .filter(job -> job.tenant().equals(jobs.filter().tenant()))
          .isPresent();
      changed += known && change.test(id) ? 1 : 0;
    }
    return new Changed(changed, false);
  }

  private Changed eachThatFits(JobFilter filter, Predicate<UUID> change, long start) {
    Detail detail = filter.text() == null ? Detail.STATE : Detail.FULL;
    PageSize size = PageSize.of(Defaults.LARGEST_PAGE, detail);
    long changed = 0;
    String cursor = null;
    do {
      Page<JobRecord> page = store.page(filter, cursor, size);
      for (JobRecord job : page.items()) {
        if (isTimeUp(start)) {
          return new Changed(changed, true);
        }
        changed += shown.test(job, filter) && change.test(job.id()) ? 1 : 0;
      }
      cursor = page.nextCursor();
    } while (cursor != null);
    return new Changed(changed, false);
  }

  private boolean isTimeUp(long start) {
    return nanoTime.getAsLong() - start >= LONGEST_NANOS;
  }
}
