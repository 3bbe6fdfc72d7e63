package io.sluice.store;

import io.sluice.Detail;
import io.sluice.JobError;
import io.sluice.JobRecord;
import io.sluice.JobSpec;
import io.sluice.JobStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Takes from whole jobs what a {@link Detail} leaves out, for stores that have them at hand. */
public final class Summaries {
  /** The payload of a job of which no payload was read. */
  public static final String NO_PAYLOAD = "null";

  /** What is left out of the payload of an HTTP job. */
  private static final Set<String> BODIES = Set.of("body", "bodyBase64");

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private Summaries() {}

  public static JobRecord of(JobRecord job, Detail detail) {
    if (detail == Detail.FULL) {
      return job;
    }
    JobSpec spec = job.spec().withPayload(detail == Detail.STATE ? NO_PAYLOAD : payload(job));
    return new JobRecord(
        job.id(), job.lane(), spec, job.createdAt(), job.updatedAt(), of(job.status()));
  }

  private static JobStatus of(JobStatus status) {
    return new JobStatus(
        status.state(),
        status.attempt(),
        status.strikes(),
        status.replays(),
        status.runAt(),
        status.startedAt(),
        status.finishedAt(),
        status.leaseUntil(),
        status.worker(),
        null,
        status.reason(),
        status.errors().stream().map(Summaries::of).toList(),
        status.progress());
  }

  private static JobError of(JobError error) {
    return new JobError(
        error.at(),
        error.attempt(),
        error.errorClass(),
        error.code(),
        error.message(),
        null,
        error.status(),
        error.responseBody());
  }

  private static String payload(JobRecord job) {
    if (!job.type().equals(WorkerSpec.HTTP) || !job.payload().startsWith("{")) {
      return NO_PAYLOAD;
    }
    try {
      Map<String, Object> fields =
          JSON.readValue(job.payload(), new TypeReference<LinkedHashMap<String, Object>>() {});
      fields.keySet().removeAll(BODIES);
      return JSON.writeValueAsString(fields);
    } catch (JacksonException e) {
      // It came by another way than the API, and cannot be delivered either.
      return NO_PAYLOAD;
    }
  }
}
