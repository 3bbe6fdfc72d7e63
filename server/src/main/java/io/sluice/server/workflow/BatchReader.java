package io.sluice.server.workflow;

import io.sluice.BatchRequest;
import io.sluice.CallbackOn;
import io.sluice.Defaults;
import io.sluice.JobRequest;
import io.sluice.Step;
import io.sluice.server.job.AfterBody;
import io.sluice.server.job.JobBodies;
import io.sluice.server.job.JobBody;
import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Invalid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes a batch of what a producer sent, or says everything that is wrong with its jobs. */
final class BatchReader {
  private final JobBodies jobs;

  BatchReader(JobBodies jobs) {
    this.jobs = jobs;
  }

  /** What a call says of its batch outside of the body. */
  record Around(@Nullable String idempotencyKey, @Nullable String traceparent) {}

  BatchRequest read(String tenant, BatchBody body, Around around) {
    List<@Nullable JobBody> bodies = JobBodies.checked(body.jobs(), 0);
    String name = body.name();
    if (name == null) {
      throw new Invalid("name", "is missing");
    }
    BatchRequest batch = BatchRequest.named(name).tenant(tenant);
    List<JobRequest> requests = jobs.steps(tenant, bodies, around.traceparent);
    Checks checks = new Checks();
    for (int i = 0; i < requests.size(); i++) {
      JobBody job = bodies.get(i);
      if (job != null) {
        add(checks, "jobs[" + i + "].name", batch, job, requests.get(i));
      }
    }
    String key = key(checks, body.idempotencyKey(), around.idempotencyKey);
    checks.done();
    if (key != null) {
      batch.idempotencyKey(key);
    }
    if (Boolean.TRUE.equals(body.open())) {
      batch.open();
    }
    if (body.parent() != null) {
      batch.in(body.parent());
    }
    JobBody callback = body.callback();
    return callback == null
        ? batch
        : batch.callback(
            jobs.callback(tenant, callback, around.traceparent),
            callback.on() == null ? CallbackOn.ALWAYS : callback.on());
  }

  private static void add(
      Checks checks, String field, BatchRequest batch, JobBody body, JobRequest job) {
    String name = body.name();
    checks.require(
        name == null || !Checks.isUuid(name),
        field,
        "must not look like a UUID, which in after is the id of a job or a batch");
    Step step = name == null ? batch.add(job) : batch.add(name, job);
    List<@Nullable AfterBody> after = body.after() == null ? List.of() : body.after();
    for (AfterBody one : after) {
      String other = one == null || one.hasId() ? null : one.id();
      if (other != null) {
        step.after(other);
      }
    }
  }

  private static @Nullable String key(
      Checks checks, @Nullable String field, @Nullable String header) {
    String key = field == null ? header : field;
    checks
        .require(
            key == null || (!key.isEmpty() && key.length() <= Defaults.MAX_TEXT),
            "idempotencyKey",
            "must be 1 to " + Defaults.MAX_TEXT + " characters")
        .require(
            field == null || header == null || field.equals(header),
            "idempotencyKey",
            "must be the same as the header Idempotency-Key, or only one of them be given");
    return key;
  }
}
