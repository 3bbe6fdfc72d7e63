package io.sluice.store;

import io.sluice.CancelResult;
import io.sluice.Detail;
import io.sluice.Enqueued;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.LogLine;
import io.sluice.Page;
import io.sluice.PageSize;
import io.sluice.WaitingJobs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where jobs are kept. A store judges time by its own clock, decides no retries and no states, and
 * writes to a job that runs only through the claim it runs under: a claim that is over matches
 * nothing and changes nothing. A claim stands until somebody finishes it or its job is cancelled; that
 * its lease ran out, its own or its worker's, does not end it, but lets others end it (see {@link
 * Workers#lost}).
 * Every method throws {@link io.sluice.SluiceException} with code PERSISTENCE_FAILURE when the store
 * cannot be reached or does not answer in time; a write may then have happened or not. All
 * methods may be called from any thread.
 */
public interface JobStore extends AutoCloseable {
  /** Makes the store ready: checks it, brings its schema up to date. A second call does nothing. */
  void open();

  /** The store's clock. */
  Instant now();

  // ---- the path of a job

  /**
   * Takes all of these jobs or none, durably, and answers in their order. A job whose moment has come
   * is PENDING, another SCHEDULED. A known idempotency key (unique per tenant and queue while its job
   * is retained) is answered with the job that has it, also within one call and by a full queue, and
   * its newcomer is not stored. Refused whole, with nothing stored: QUEUE_FULL, DUPLICATE_MESSAGE for
   * a strict job, NOT_FOUND for a queue that was not made.
   */
  List<Enqueued> insert(List<NewJob> jobs);

  /**
   * Every priority of the lanes looked at that has ready work, in no certain order. A recent view, not a
   * lock; what was written through this instance before is in it, and a claim finds what it shows unless
   * another claim was faster.
   */
  LaneView look(Look look);

  /** As {@link #look}, at every lane that has ready work. */
  default List<LaneHead> heads() {
    return look(Look.ALL).heads();
  }

  /** The same of one queue, at a cost that does not depend on how many lanes others have. */
  default List<LaneHead> heads(String tenant, String queue) {
    return heads().stream()
        .filter(
            head -> head.lane().tenant().equals(tenant) && head.lane().queue().equals(queue))
        .toList();
  }

  /**
   * Hands ready jobs to a live worker, in one atomic step: lanes in the order given, at most the quota
   * of each, first in first out within a lane and priority, answered in that order. A job that runs
   * again has its old place. The lane of a paused queue gives nothing. Lanes under limits give no more
   * than these leave, over all instances: a job of a limited rate comes with the time of its start, and
   * what an ordered queue or key may run is one job, the oldest, and none while one that has run before
   * it waits for its next attempt. The answer says which limits kept it from more. Jobs whose payloads are too
   * large for the claim stay as they were, and so do those behind them in their lanes.
   * Never waits for and never takes what another claim is taking. A worker whose lease ran out gets
   * nothing, nor does one that signed on before a failover.
   */
  Claimed claim(Claim claim);

  /**
   * Notes that a claimed job is being started, and whether nothing else runs on its worker; false when
   * the claim is over. Called again when somebody joins a job that ran alone.
   */
  boolean started(ClaimRef ref, boolean alone);

  /**
   * Ends claims, in one atomic step, and returns those that took effect. A claim that is over is left
   * out of the answer and nothing else happens; the others of the call are written all the same.
   */
  Set<ClaimRef> finish(List<Finish> finishes);

  /**
   * As {@link #finish}, for many claims of many jobs: rather than wait for somebody else's transaction for
   * more than some tens of milliseconds, fails with {@link LockTimeout}.
   */
  default Set<ClaimRef> tryFinish(List<Finish> finishes) {
    return finish(finishes);
  }

  /** Notes how far a claimed job is; false when the claim is over. */
  boolean progress(ClaimRef ref, int percent, String message);

  /** Keeps lines with a claimed job, the newest so many of them; false when the claim is over. */
  boolean log(ClaimRef ref, List<String> lines);

  /**
   * Makes a claim's own lease end so long from now, and answers when that is; notes that it is in use, as {@link
   * #started} does. Empty when the claim has ended, has no lease of its own, or one that ran out: such a lease
   * is never revived.
   */
  Optional<Instant> extend(ClaimRef ref, Duration lease);

  /** The job of a claim that stands under a lease of its own; empty also when that ran out. */
  Optional<HeldJob> held(ClaimRef ref);

  // ---- by a person's hand

  /** Ends a job that is not over, waiting or running. A running one loses its claim in the same write. */
  CancelResult cancel(UUID job, String reason, Duration keepFor);

  /**
   * Cancels those of these jobs that are not over, in one write, and returns them. Each is kept as long as
   * its queue says. None of them starts because another of them ended. One that starts or waits again at
   * this very moment may be left out.
   */
  List<CancelledJob> cancelAll(List<UUID> jobs, String reason);

  /**
   * Cancels at most so many waiting jobs in one write and returns their ids; fewer than that when no
   * more wait. What runs goes on, and what a claim is taking at this moment may be left out.
   */
  List<UUID> cancelWaiting(WaitingJobs which, String reason, Duration keepFor, int max);

  /**
   * Makes a job that is over, and not completed, ready again with its attempts and strikes unspent, its
   * errors kept and its end forgotten; false when it is not there or in another state. A full queue
   * does not hold it back, but it counts there; an own expiry that has passed is no longer in force.
   */
  default boolean replay(UUID job) {
    return !replayAll(List.of(job)).isEmpty();
  }

  /** Replays those of these jobs that {@link #replay} would, in one write, and returns them. */
  List<UUID> replayAll(List<UUID> jobs);

  /**
   * Makes a job that was tried before and waits for its next attempt ready at once, its attempts, strikes
   * and errors as they are; false when it is not there, in another state, or waits for other jobs.
   */
  boolean hurry(UUID job);

  /**
   * Removes a job that is over, with all that is kept of it, its idempotency key included; false when
   * it is not there or not over, or when a job that is not over names it as a predecessor.
   */
  default boolean delete(UUID job) {
    return !deleteAll(List.of(job)).isEmpty();
  }

  /** Removes those of these jobs that {@link #delete} would, in one write, and returns them. */
  List<UUID> deleteAll(List<UUID> jobs);

  // ---- duties, done by every engine

  /** Makes at most so many due jobs ready, going round the lanes so that none waits for another. */
  Promotion promote(int max);

  /**
   * Cancels at most {@code max} waiting jobs whose own expiry has passed, and returns their ids. Each is kept as
   * long as its queue says.
   */
  List<UUID> expire(int max);

  /**
   * Drops finished jobs whose time of keeping is over, with their idempotency keys, and returns about
   * how many. A store that drops by the day may leave some for a few days more.
   */
  long purge();

  // ---- looking

  /** A job, as much of it as is asked for: what is left out is not even read. */
  Optional<JobRecord> find(UUID job, Detail detail);

  default Optional<JobRecord> find(UUID job) {
    return find(job, Detail.FULL);
  }

  /**
   * Jobs that fit, newest first, after the cursor. A finished job past its keeping is not shown. The page ends
   * early, with a cursor, where the next job would make it larger than it may be; no more than that is read. A store may
   * refuse a search, which is a filter by text, metadata or time, that takes too long (INVALID_MESSAGE) or
   * comes beside too many others of its tenant (RATE_LIMITED).
   */
  Page<JobRecord> page(JobFilter filter, @Nullable String cursor, PageSize size);

  /** Whole jobs, however large they are: for callers that know that they are small. */
  default Page<JobRecord> page(JobFilter filter, @Nullable String cursor, int limit) {
    return page(filter, cursor, new PageSize(limit, Long.MAX_VALUE, Detail.FULL));
  }

  /** The lines kept with a job, oldest first; none when it is not there. */
  List<LogLine> logs(UUID job);

  /**
   * How many jobs there are by queue, type and state, of one tenant or of all. Those that are not over are
   * counted; a store may estimate how many finished ones it keeps where these are very many.
   */
  List<Count> counts(@Nullable String tenant);

  /** The same of jobs that are not over, at a cost that does not depend on how many finished ones are kept. */
  List<Count> unfinished(@Nullable String tenant);

  /** When the longest waiting ready job became ready, by its creation; of one tenant or of all. */
  Optional<Instant> oldestReady(@Nullable String tenant);

  /** How many jobs are DEAD, counting no further than this. */
  long deadLetters(long most);

  /** Why the jobs that fit and are DEAD are so, the most frequent reason first. */
  List<ReasonCount> deadReasons(JobFilter filter);

  /** Where a ready job stands, counting at most so many before it; of any other job nothing is known. */
  Standing standing(UUID job, int most);

  // ---- parts

  Queues queues();

  Limits limits();

  Breakers breakers();

  Workers workers();

  Links links();

  Wakeups wakeups();

  /** Lets go of everything the store holds open. */
  @Override
  void close();
}
