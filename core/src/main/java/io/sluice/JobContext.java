package io.sluice;

import java.sql.Connection;
import java.time.Instant;
import java.util.List;

/** What a running handler may know of and say about its attempt. */
public interface JobContext {
  /** The moment at which the attempt is out of time. */
  Instant deadline();

  /**
   * True once the attempt is no longer wanted: cancelled, out of time, or its lease lost. The thread
   * was interrupted then; long loops that do not block should look here.
   */
  boolean isOver();

  /** Says how far the work is. The newest word counts; a message may be empty. */
  void progress(int percent, String message);

  /** Keeps a line with the job. */
  void log(String line);

  /** Sets the result that is kept, as JSON, when the handler returns normally. */
  void result(Object result);

  /**
   * What those left that the job waited for, in the order in which it named them. RESULTS_TOO_LARGE when that is more
   * than {@link Defaults#MAX_RESULTS_BYTES}: the attempt fails, and is not made again, unless the handler catches it.
   */
  List<Result> results();

  /** Adds jobs to the batch of this job, all or none. LEASE_LOST when the job is no longer this worker's. */
  List<Enqueued> addToBatch(List<JobRequest> jobs);

  /** Starts a batch inside the batch of this job, which does not end before it. */
  BatchStarted startBatch(BatchRequest batch);

  /**
   * Completes the job as part of the handler's own database transaction: work and completion commit
   * together or not at all. Throws LEASE_LOST when the job is no longer this worker's; the transaction
   * must then be rolled back. When the handler returns and the transaction was not committed, the
   * attempt has failed.
   */
  void completeWith(Connection connection);
}
