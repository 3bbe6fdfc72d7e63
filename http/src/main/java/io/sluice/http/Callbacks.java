package io.sluice.http;

import io.sluice.Codec;
import io.sluice.JacksonCodec;
import io.sluice.Job;
import io.sluice.JobError;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.SluiceException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the callback URLs of HTTP jobs how the jobs ended. A callback is an HTTP job of the same tenant
 * and queue, with an idempotency key of its own: telling it twice makes one job.
 */
public final class Callbacks {
  private static final Logger LOG = LoggerFactory.getLogger(Callbacks.class);

  /**
   * The beginning of idempotency keys that Sluice makes. A server takes no key of its users that begins
   * like this: with the key of a callback, anybody could keep it from being sent.
   */
  public static final String RESERVED = "sluice:";

  private final Consumer<JobRequest> enqueue;
  private final Codec codec = new JacksonCodec();

  /**
   * @param enqueue puts a job into the store before it returns, also while the engine drains
   */
  public Callbacks(Consumer<JobRequest> enqueue) {
    this.enqueue = enqueue;
  }

  /** Enqueues the callback of a job that is about to be done. */
  void success(Job<HttpCall> job, HttpResult result) {
    String url = job.payload().callbackUrl();
    if (url == null) {
      return;
    }
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("jobId", job.id());
    body.put("queue", job.queue());
    body.put("state", JobState.COMPLETED);
    body.put("attempt", job.attempt());
    body.put("status", result.status());
    body.put("headers", result.headers());
    body.put("body", result.body());
    body.put("error", null);
    enqueue.accept(request(url, body)
        .tenant(job.tenant())
        .queue(job.queue())
        .priority(job.priority())
        .metadata(job.metadata())
        .idempotencyKey(RESERVED + "callback:" + job.id()));
  }

  /**
   * Enqueues the failure callback of a job that is dead or failed for good, if it has one. May be called
   * any number of times.
   *
   * @return true when the job has a failure callback
   */
  public boolean failure(JobRecord job) {
    boolean over = job.state() == JobState.DEAD || job.state() == JobState.FAILED;
    String url = over && job.type().equals(HttpCall.TYPE)
        ? call(job).map(HttpCall::failureCallbackUrl).orElse(null)
        : null;
    if (url == null) {
      return false;
    }
    enqueue.accept(request(url, failureBody(job))
        .tenant(job.tenant())
        .queue(job.queue())
        .priority(job.priority())
        .metadata(job.spec().metadata())
        .idempotencyKey(
            RESERVED + "failure-callback:" + job.id() + ":" + job.status().replays()));
    return true;
  }

  private Optional<HttpCall> call(JobRecord job) {
    try {
      return Optional.of(codec.decode(job.payload(), HttpCall.class));
    } catch (SluiceException e) {
      LOG.warn("job {} has no callback, its payload is no HTTP call: {}", job.id(), e.getMessage());
      return Optional.empty();
    }
  }

  private static Map<String, Object> failureBody(JobRecord job) {
    Map<String, Object> body = new LinkedHashMap<>();
    body.put("jobId", job.id());
    body.put("queue", job.queue());
    body.put("state", job.state());
    body.put("attempt", job.attempt());
    JobError last =
        job.status().errors().isEmpty() ? null : job.status().errors().getLast();
    body.put("status", last == null ? null : last.status());
    body.put("headers", Map.of());
    body.put("body", last == null ? null : last.responseBody());
    Map<String, Object> error = new LinkedHashMap<>();
    error.put("reason", job.status().reason());
    error.put("class", last == null ? null : last.errorClass());
    error.put("code", last == null ? null : last.code());
    error.put("message", last == null ? null : last.message());
    body.put("error", error);
    return body;
  }

  private JobRequest request(String url, Map<String, Object> body) {
    return Jobs.of(HttpCall.TYPE, HttpCall.to(url).withBody(JsonValue.of(codec.encode(body))));
  }
}
