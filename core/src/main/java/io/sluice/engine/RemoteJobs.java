package io.sluice.engine;

import io.sluice.JobError;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.JobStatus;
import io.sluice.RemoteClaim;
import io.sluice.RemoteJob;
import io.sluice.Result;
import io.sluice.store.ClaimedJob;
import java.time.Instant;
import java.util.List;

/** Describes claimed jobs to remote workers, from what the claim answered. */
final class RemoteJobs {
  private RemoteJobs() {}

  /** What a job brings along that its claim does not answer. */
  record Past(List<JobError> errors, List<Result> results) {}

  static RemoteJob of(ClaimedJob job, RemoteClaim claim, Past past) {
    Instant until = leaseUntil(job);
    Instant claimedAt = job.claimedAt();
    JobStatus status = new JobStatus(
        JobState.RUNNING,
        job.attempt(),
        job.strikes().alone(),
        0,
        null,
        claimedAt,
        null,
        until,
        claim.worker(),
        null,
        null,
        past.errors(),
        null);
    JobRecord record =
        new JobRecord(job.ref().job(), job.lane(), job.spec(), job.createdAt(), claimedAt, status);
    return new RemoteJob(job.ref(), record, until, past.results());
  }

  private static Instant leaseUntil(ClaimedJob job) {
    Instant until = job.leaseUntil();
    if (until == null) {
      throw new IllegalStateException("job " + job.ref().job() + " was claimed without a lease");
    }
    return until;
  }
}
