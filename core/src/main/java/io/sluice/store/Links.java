package io.sluice.store;

import io.sluice.BatchRecord;
import io.sluice.BatchStarted;
import io.sluice.Defaults;
import io.sluice.Enqueued;
import io.sluice.Graph;
import io.sluice.Result;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Batches, and jobs that wait for others. A job with predecessors is SCHEDULED, without a moment, until
 * all of them are over; then it becomes what it would have been without them. Whatever ends a job, by
 * whatever method of the store, starts its successors in the same write, each exactly once. When there are
 * thousands of them, {@link #wake} starts the rest soon after. A batch is finished only while all its members
 * are. Running a member again reopens the batch and the batches around it, and jobs that are held or wait
 * for others wait for it again.
 */
public interface Links {
  /**
   * Takes a batch, its jobs and its callback, all or none. The jobs name it in their ties, and may wait
   * for each other. A known idempotency key of the tenant is answered with the batch that has it.
   * INVALID_MESSAGE as for {@link #add} when the batch is in another.
   */
  BatchStarted start(NewBatch batch, List<NewJob> jobs);

  /**
   * Adds jobs to a batch that is open, or to that of the running job by which they come. CONFLICT when the
   * batch is closed and nobody is named, LEASE_LOST when that claim is over or of another batch, NOT_FOUND
   * when there is no such batch of the tenant of the jobs, INVALID_MESSAGE when one of them waits for
   * what cannot end before the batch ({@link Circle}).
   */
  List<Enqueued> add(UUID batch, @Nullable ClaimRef by, List<NewJob> jobs);

  /** Says that nothing more is added from outside; false when it is not there or was closed before. */
  boolean close(UUID batch);

  Optional<BatchRecord> find(UUID batch);

  /** Batches of a tenant, newest first, after this one. */
  List<BatchRecord> list(String tenant, @Nullable UUID before, int limit);

  /** Closes a batch and all that are in it, however deep. */
  void closeAll(UUID batch);

  /**
   * Jobs of a batch, and of those in it, that are not over, in no certain order: as long as some wait for
   * others or for their time, about so many of these, and with them all of the batch that wait for them
   * in turn; then those that are ready; then those that run. Cancelled like this, together, none of
   * them starts because another ended.
   */
  List<UUID> unfinished(UUID batch, int max);

  /**
   * The states of those that a job waits or waited for, in the order in which it named them. What they left is
   * not read.
   */
  List<Result> predecessors(UUID job);

  /**
   * What became of those that a job waits or waited for, in the order in which it named them.
   * RESULTS_TOO_LARGE when what they left adds up to more bytes than this; no more than that is read.
   */
  List<Result> results(UUID job, long maxBytes);

  default List<Result> results(UUID job) {
    return results(job, Defaults.MAX_RESULTS_BYTES);
  }

  /** The jobs and batches that hang together with a job, before and after it, at most so many. */
  Optional<Graph> graph(UUID job, int max);

  /** Jobs that wait for this one, or for one that waits for it, and are not over; at most so many, nearest first. */
  List<UUID> successors(UUID job, int max);

  /** A job that names this one or this batch as a predecessor and is not over, if there is one. */
  Optional<UUID> needing(UUID id);

  /** Lets a job run that is held because one it waited for failed; false when it is not held. */
  boolean release(UUID job);

  /**
   * Replays a job, and in the same write makes those wait again that were cancelled because of it, of a
   * batch that it is in, or of each other, as far as no other of those they wait for has failed. Returns all
   * that came back, this job first; none when it is not one to be replayed.
   */
  List<UUID> revive(UUID job);

  /**
   * Ends batches whose members are all over and that nobody has ended yet, looking at at most so many, and
   * returns how many it ended. What ends the last member does so as well: this is for those who died
   * before they could.
   */
  int settle(int max);

  /**
   * Starts at most {@code max} successors that an earlier write left waiting, and returns whether there were any.
   * A store may leave successors to this method when a job ends that has thousands of them.
   */
  default boolean wake(int max) {
    return false;
  }

  /** How long an ended batch is kept unless the one who makes it says otherwise. */
  Duration KEEP_BATCH = Duration.ofDays(7);
}
