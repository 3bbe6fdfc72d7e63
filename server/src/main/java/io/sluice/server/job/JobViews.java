package io.sluice.server.job;

import io.sluice.Defaults;
import io.sluice.JobError;
import io.sluice.JobFilter;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.JobStatus;
import io.sluice.QueueSettings;
import io.sluice.RemoteJob;
import io.sluice.Result;
import io.sluice.RetryPolicy;
import io.sluice.Ties;
import io.sluice.store.QueueRecord;
import io.sluice.store.Queues;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Shows jobs to callers: what is in force for them, and no credential. */
public final class JobViews {
  private final Queues queues;
  private final HttpJobs http;

  public JobViews(Queues queues, HttpJobs http) {
    this.queues = queues;
    this.http = http;
  }

  public JobView of(JobRecord job) {
    return of(List.of(job)).getFirst();
  }

  public List<JobView> of(List<JobRecord> jobs) {
    return views(jobs, http::view, job -> null);
  }

  /** Jobs in the hands of whoever is to do them, with all they need for it. */
  public List<JobView> forWorker(List<RemoteJob> jobs) {
    Map<UUID, List<Result>> results = new HashMap<>();
    jobs.forEach(job -> results.put(job.job().id(), job.results()));
    return views(
        jobs.stream().map(RemoteJob::job).toList(),
        http::whole,
        job -> left(results.getOrDefault(job.id(), List.of())));
  }

  /** What others left, by the names under which the job knows them; null for a job that waited for none. */
  private static @Nullable Map<String, JobView.Left> left(List<Result> results) {
    Map<String, JobView.Left> left = new LinkedHashMap<>();
    results.forEach(result -> left.put(result.name(), JobView.Left.of(result)));
    return left.isEmpty() ? null : left;
  }

  private List<JobView> views(
      List<JobRecord> jobs,
      Function<JobRecord, HttpJobs.View> show,
      Function<JobRecord, @Nullable Map<String, JobView.Left>> left) {
    Map<String, Optional<QueueSettings>> queueSettings = new HashMap<>();
    return jobs.stream()
        .map(job -> view(
            job,
            show.apply(job),
            queueSettings.computeIfAbsent(job.tenant() + "/" + job.queue(), name -> settings(job)),
            left.apply(job)))
        .toList();
  }

  private Optional<QueueSettings> settings(JobRecord job) {
    return queues.find(job.tenant(), job.queue()).map(QueueRecord::settings);
  }

  private JobView view(
      JobRecord job,
      HttpJobs.View call,
      Optional<QueueSettings> queue,
      @Nullable Map<String, JobView.Left> results) {
    RetryPolicy retry = Optional.ofNullable(job.spec().retry())
        .or(() -> http.retry(job))
        .or(() -> queue.map(QueueSettings::retry))
        .orElse(Defaults.RETRY);
    Duration timeout = Optional.ofNullable(job.spec().timeout())
        .or(() -> queue.map(QueueSettings::timeout))
        .orElse(Defaults.TIMEOUT);
    JobStatus status = job.status();
    boolean dead = job.state() == JobState.DEAD;
    Ties ties = job.spec().ties();
    return new JobView(
        job.id(),
        job.tenant(),
        job.queue(),
        job.type(),
        job.state(),
        job.priority(),
        job.attempt(),
        retry.maxAttempts(),
        job.createdAt(),
        job.updatedAt(),
        status.runAt(),
        status.startedAt(),
        status.finishedAt(),
        status.leaseUntil(),
        status.worker(),
        timeout,
        RetryBody.of(retry),
        call.url(),
        given(job.lane().groupName()),
        call.path(),
        call.method(),
        call.headers(),
        call.body(),
        call.bodyBase64(),
        call.callbackUrl(),
        call.failureCallbackUrl(),
        call.payload(),
        http.result(job),
        status.errors().stream().map(JobViews::failure).toList(),
        status.reason(),
        dead ? status.reason() : null,
        dead ? status.finishedAt() : null,
        new JobView.Origin(job.queue(), job.spec().metadata().source(), status.replays()),
        status.progress(),
        MetadataBody.of(job.spec().metadata()),
        job.spec().idempotencyKey(),
        given(job.lane().limitKey()),
        job.spec().cost(),
        job.spec().expiresAt(),
        ties.waits() ? ties.after() : null,
        ties.waits() ? ties.policy() : null,
        ties.batch(),
        results);
  }

  private static @Nullable String given(String text) {
    return text.isEmpty() ? null : text;
  }

  private static JobView.Failure failure(JobError error) {
    return new JobView.Failure(
        error.at(),
        error.attempt(),
        error.errorClass(),
        error.code(),
        error.message(),
        error.status(),
        error.responseBody(),
        error.stack());
  }

  /** True when what is shown of the job has the text: a hidden value must not be found by searching. */
  boolean shows(JobRecord job, JobFilter filter) {
    String text = filter.text();
    if (text == null || !HttpJobs.isHttp(job)) {
      return true;
    }
    String escaped = filter.escapedText();
    String shown = http.shown(job);
    return job.type().contains(text)
        || Objects.requireNonNullElse(job.status().reason(), "").contains(text)
        || shown.contains(text)
        || (escaped != null && shown.contains(escaped));
  }
}
