package io.sluice.server.job;

import io.sluice.Defaults;
import io.sluice.Detail;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.UnaryOperator;

/** Changes many jobs, a portion at a time, for as long as one call may take. */
final class BulkJobs {
  private static final long LONGEST_NANOS = Duration.ofSeconds(10).toNanos();

  /**
   * How many jobs a call changed.
   *
   * @param more true when its time was up before it had looked at all of them
   */
  record Changed(long changed, boolean more) {}

  /**
   * A change of jobs.
   *
   * @param portion how many jobs at a time
   * @param act changes a portion and says how many of it were changed
   */
  private record Change(int portion, ToIntFunction<List<UUID>> act) {
    static Change ofEach(Predicate<UUID> changed) {
      return new Change(1, jobs -> (int) jobs.stream().filter(changed).count());
    }

    static Change ofPages(UnaryOperator<List<UUID>> changed) {
      return new Change(Defaults.LARGEST_PAGE, jobs -> changed.apply(jobs).size());
    }
  }

  private final JobStore store;
  /** Says whether the caller may see why a job fits. */
  private final BiPredicate<JobRecord, JobFilter> shown;

  private final LongSupplier nanoTime;

  BulkJobs(JobStore store, BiPredicate<JobRecord, JobFilter> shown, LongSupplier nanoTime) {
    this.store = store;
    this.shown = shown;
    this.nanoTime = nanoTime;
  }

  /** Goes once over those that are meant, one by one; {@code change} says whether it changed one. */
  Changed each(BulkSelection jobs, Predicate<UUID> change) {
    return jobs.ids().isEmpty()
        ? thatFit(jobs.filter(), Change.ofEach(change))
        : thoseNamed(jobs, Change.ofEach(change));
  }

  /** Goes once over those that fit, a page at a time; {@code change} returns those that it changed. */
  Changed pages(JobFilter filter, UnaryOperator<List<UUID>> change) {
    return thatFit(filter, Change.ofPages(change));
  }

  private Changed thoseNamed(BulkSelection jobs, Change change) {
    long start = nanoTime.getAsLong();
    long changed = 0;
    for (UUID id : jobs.ids()) {
      if (isTimeUp(start)) {
        return new Changed(changed, true);
      }
      boolean known = store
          .find(id, Detail.STATE)
          .filter(job -> job.tenant().equals(jobs.filter().tenant()))
          .isPresent();
      changed += known ? change.act.applyAsInt(List.of(id)) : 0;
    }
    return new Changed(changed, false);
  }

  private Changed thatFit(JobFilter filter, Change change) {
    long start = nanoTime.getAsLong();
    Detail detail = filter.text() == null ? Detail.STATE : Detail.FULL;
    PageSize size = PageSize.of(Defaults.LARGEST_PAGE, detail);
    long changed = 0;
    String cursor = null;
    do {
      Page<JobRecord> page = store.page(filter, cursor, size);
      List<UUID> jobs = page.items().stream()
          .filter(job -> shown.test(job, filter))
          .map(JobRecord::id)
          .toList();
      for (int from = 0; from < jobs.size(); from += change.portion) {
        if (isTimeUp(start)) {
          return new Changed(changed, true);
        }
        int to = Math.min(jobs.size(), from + change.portion);
        changed += change.act.applyAsInt(jobs.subList(from, to));
      }
      cursor = page.nextCursor();
    } while (cursor != null);
    return new Changed(changed, false);
  }

  private boolean isTimeUp(long start) {
    return nanoTime.getAsLong() - start >= LONGEST_NANOS;
  }
}
