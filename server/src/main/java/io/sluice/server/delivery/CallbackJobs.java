package io.sluice.server.delivery;

import io.sluice.Codec;
import io.sluice.JacksonCodec;
import io.sluice.JobError;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobSpec;
import io.sluice.JobStatus;
import io.sluice.Lane;
import io.sluice.Uuid7;
import io.sluice.http.Callbacks;
import io.sluice.http.HttpCall;
import io.sluice.store.JobStore;
import io.sluice.store.NewJob;
import io.sluice.store.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes jobs of callbacks, for the store itself and not through the engine: also one that drains, and
 * takes no jobs from outside any more, has to tell how its last jobs ended.
 */
final class CallbackJobs {
  private final CallSecrets secrets;
  private final Uuid7 ids;
  private final Codec codec = new JacksonCodec();

  CallbackJobs(CallSecrets secrets, Uuid7 ids) {
    this.secrets = secrets;
    this.ids = ids;
  }

  /** Puts the callbacks of jobs that are done into this store. Their URLs come in the clear. */
  Callbacks success(JobStore store) {
    return new Callbacks(request -> store.insert(List.of(job(request, true))));
  }

  /** The callback of a job that ends this way, if it wants one. Its URL is sealed already. */
  Optional<NewJob> failure(JobRecord job, Verdict.End end) {
    List<JobRequest> requests = new ArrayList<>();
    new Callbacks(requests::add).failure(ended(job, end));
    return requests.stream().findFirst().map(request -> job(request, false));
  }

  private static JobRecord ended(JobRecord job, Verdict.End end) {
    JobStatus status = job.status();
    List<JobError> errors = new ArrayList<>(status.errors());
    if (end.error() != null) {
      errors.add(end.error());
    }
    return new JobRecord(
        job.id(),
        job.lane(),
        job.spec(),
        job.createdAt(),
        job.updatedAt(),
        new JobStatus(
            end.state(),
            status.attempt(),
            status.strikes(),
            status.replays(),
            null,
            status.startedAt(),
            null,
            null,
            null,
            end.result(),
            end.reason(),
            errors,
            status.progress()));
  }

  private static Lane lane(JobRequest request) {
    Lane lane = request.lane();
    String bucket = request.payload() instanceof HttpCall call ? HttpCall.bucketOf(call.url()) : "";
    return new Lane(lane.tenant(), lane.queue(), lane.type(), bucket, lane.limitKey());
  }

  private NewJob job(JobRequest request, boolean seal) {
    Object payload = request.payload();
    if (seal && payload instanceof HttpCall call) {
      payload = secrets.seal(request.lane().tenant(), call);
    }
    JobSpec spec = new JobSpec(
        codec.encode(payload),
        request.priority(),
        null,
        null,
        request.idempotencyKey().orElse(null),
        null,
        request.metadata());
    // A cap must not make a request that was answered be made again, for want of room for its
    // callback.
    return new NewJob(ids.next(), lane(request), spec, request.when(), false).uncapped();
  }
}
