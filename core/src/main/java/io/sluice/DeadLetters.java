package io.sluice;

import io.sluice.store.JobStore;
import io.sluice.store.ReasonCount;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The jobs that failed for good and wait for a person. */
public final class DeadLetters {
  private final JobStore store;

  DeadLetters(JobStore store) {
    this.store = store;
  }

  /** Dead letters that fit, newest first, after the cursor of the page before. */
  public Page<JobRecord> list(JobFilter filter, @Nullable String cursor, int limit) {
    return list(filter, cursor, PageSize.full(limit));
  }

  /** The same, as much of each as is asked for. */
  public Page<JobRecord> list(JobFilter filter, @Nullable String cursor, PageSize size) {
    return store.page(filter.in(JobState.DEAD), cursor, size);
  }

  public long count(JobFilter filter) {
    return store.deadReasons(filter).stream().mapToLong(ReasonCount::jobs).sum();
  }

  /** Why they are dead, the most frequent reason first. */
  public List<ReasonCount> reasons(JobFilter filter) {
    return store.deadReasons(filter);
  }

  /** Runs one again from its first attempt, under its own id; false when it is not a dead letter. */
  public boolean replay(UUID job) {
    return isDead(job) && store.replay(job);
  }

  /** Runs all again that fit and are dead now, and says how many. */
  public long replayAll(JobFilter filter) {
    return forAll(filter, store::replayAll);
  }

  /**
   * Removes one for good; false when it is not a dead letter. CONFLICT while a job that is not over waits
   * for it, is held because of it, or may ask what became of it.
   */
  public boolean delete(UUID job) {
    if (!isDead(job)) {
      return false;
    }
    boolean deleted = store.delete(job);
    if (!deleted) {
      store.links().needing(job).ifPresent(by -> {
        throw new SluiceException(
            ErrorCode.CONFLICT,
            "job " + job + " is kept for job " + by
                + ", which names it in after and is not over: run or cancel that one first");
      });
    }
    return deleted;
  }

  /** Removes all that fit, are dead now and that no job which is not over names, and says how many. */
  public long deleteAll(JobFilter filter) {
    return forAll(filter, store::deleteAll);
  }

  private boolean isDead(UUID job) {
    return store.find(job, Detail.STATE).filter(j -> j.state() == JobState.DEAD).isPresent();
  }

  private long forAll(JobFilter filter, UnaryOperator<List<UUID>> act) {
    long done = 0;
    String cursor = null;
    do {
      Page<JobRecord> page = list(filter, cursor, PageSize.states(Defaults.LARGEST_PAGE));
      done += act.apply(page.items().stream().map(JobRecord::id).toList()).size();
      cursor = page.nextCursor();
    } while (cursor != null);
    return done;
  }
}
