package io.sluice;

import io.sluice.store.ClaimRef;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The desk for workers in other programs, which pull jobs and report on them. Each job is held under a
 * lease of its own, named by its token. The tenant is always the caller's: a job of another one is
 * NOT_FOUND, like one that is not there, and a lease that was finished, ran out or is somebody else's
 * is LEASE_LOST. A job whose lease was lost is handed out alone from then on; each further lease
 * that is lost after its worker has spoken of it is a strike, and the third is the job's death.
 */
public interface RemoteWorkers {
  /**
   * Hands out jobs by priority and age. When there are none it waits, and returns as soon as some come;
   * with nothing when the time is up, the engine stops or the calling thread is interrupted. NOT_FOUND
   * for a queue that was not made.
   */
  List<RemoteJob> claim(RemoteClaim claim);

  /**
   * Takes a job back as if it had not been claimed, for a worker that never heard of it; nothing
   * happens when the lease is over.
   */
  void giveBack(String tenant, ClaimRef lease);

  /** Makes the lease last so long from now, and notes how far the work is. */
  RemoteHeartbeat heartbeat(
      String tenant, ClaimRef lease, Duration extendBy, @Nullable RemoteProgress progress);

  /** Ends the job well; the result is JSON, or null for none. */
  void complete(String tenant, ClaimRef lease, @Nullable String result);

  /** Ends the attempt badly, by the same rules as a handler's, and answers what the job is now. */
  JobState fail(String tenant, ClaimRef lease, RemoteFailure failure);

  /** Adds jobs to the batch of the held job, all or none. CONFLICT when it is in none. */
  List<Enqueued> addToBatch(String tenant, ClaimRef lease, List<JobRequest> jobs);

  /** Starts a batch inside the batch of the held job, which does not end before it. */
  BatchStarted startBatch(String tenant, ClaimRef lease, BatchRequest batch);
}
