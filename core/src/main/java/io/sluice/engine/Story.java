package io.sluice.engine;

import io.sluice.JobError;
import io.sluice.JobRecord;
import io.sluice.JobStatus;
import io.sluice.Predecessor;
import io.sluice.Reason;
import io.sluice.ReasonCode;
import io.sluice.RetryPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What there is to tell of a job that runs, or is over, in one sentence. */
final class Story {
  private Story() {}

  static Reason running(Facts facts) {
    JobStatus status = facts.job().status();
    Map<String, Object> details = details(facts);
    put(details, "worker", Optional.ofNullable(status.worker()));
    put(details, "startedAt", Optional.ofNullable(status.startedAt()));
    put(details, "leaseUntil", Optional.ofNullable(status.leaseUntil()));
    Instant lease = status.leaseUntil();
    boolean lost = lease == null || !lease.isAfter(facts.now());
    String sentence = "It runs" + on(status.worker()) + at(" since ", status.startedAt())
        + ": attempt " + status.attempt() + " of "
        + attempts(facts)
        + at(lost ? ", and its lease ended at " : ", its lease lasts until ", lease)
        + ".";
    return new Reason(
        ReasonCode.RUNNING,
        sentence,
        null,
        lost
            ? "Its worker gave no sign of life: it runs again as soon as an engine that does the chores"
                + " has noticed."
            : "It ends by itself; cancel it to end it now.",
        details);
  }

  static Reason over(Facts facts) {
    JobRecord job = facts.job();
    JobStatus status = job.status();
    Map<String, Object> details = details(facts);
    put(details, "finishedAt", Optional.ofNullable(status.finishedAt()));
    put(details, "reason", Optional.ofNullable(status.reason()));
    return switch (job.state()) {
      case COMPLETED ->
        new Reason(
            ReasonCode.COMPLETED,
            "It completed" + at(" at ", status.finishedAt()) + after(job) + lasted(job) + ".",
            null,
            "Nothing is left to do: enqueue another job to do it again.",
            details);
      case CANCELLED -> cancelled(job, details);
      case DEAD ->
        failed(ReasonCode.DEAD, "It is dead" + at(" since ", status.finishedAt()), job, details);
      default ->
        failed(
            ReasonCode.FAILED,
            "It failed for good" + at(" at ", status.finishedAt()),
            job,
            details);
    };
  }

  private static Reason cancelled(JobRecord job, Map<String, Object> details) {
    Optional<UUID> cause = cause(job);
    put(details, "because", cause);
    return new Reason(
        ReasonCode.CANCELLED,
        "It was cancelled" + at(" at ", job.status().finishedAt()) + after(job)
            + because(job.status()) + ".",
        null,
        "Replay it to run it after all"
            + cause
                .map(id -> ", or replay job " + id + " with all that was cancelled because of it")
                .orElse("")
            + ".",
        details);
  }

  private static Reason failed(
      ReasonCode code, String start, JobRecord job, Map<String, Object> details) {
    JobStatus status = job.status();
    Optional<JobError> last = lastError(status);
    last.ifPresent(error -> details.put("error", Words.error(error)));
    return new Reason(
        code,
        start + after(job) + because(status)
            + last.map(error -> "; its last error was " + Words.error(error)).orElse("") + ".",
        null,
        "Replay it once the cause is mended.",
        details);
  }

  /** The job that had this one cancelled, where that one failed by itself. */
  private static Optional<UUID> cause(JobRecord job) {
    String reason = String.valueOf(job.status().reason());
    return job.spec().ties().after().stream()
        .map(Predecessor::id)
        .filter(id -> reason.equals("job " + id + ", which it waits for, is DEAD")
            || reason.equals("job " + id + ", which it waits for, is FAILED"))
        .findFirst();
  }

  private static Map<String, Object> details(Facts facts) {
    Map<String, Object> details = new LinkedHashMap<>();
    details.put("attempt", facts.job().attempt());
    details.put("maxAttempts", attempts(facts));
    return details;
  }

  private static void put(Map<String, Object> details, String name, Optional<?> value) {
    value.ifPresent(known -> details.put(name, known));
  }

  /** How many attempts it has, by what its last error allows; never fewer than it had. */
  static int attempts(Facts facts) {
    RetryPolicy policy = facts.policy();
    int most = lastError(facts.job().status())
        .map(error -> policy.forClass(error.errorClass()).maxAttempts())
        .orElse(policy.maxAttempts());
    return Math.max(most, facts.job().attempt());
  }

  static Optional<JobError> lastError(JobStatus status) {
    List<JobError> errors = status.errors();
    return errors.isEmpty() ? Optional.empty() : Optional.of(errors.getLast());
  }

  private static String after(JobRecord job) {
    return job.attempt() == 0
        ? " before its first attempt"
        : " after " + Words.count(job.attempt(), "attempt");
  }

  private static String lasted(JobRecord job) {
    Instant end = job.status().finishedAt();
    return end == null
        ? ""
        : ", " + Words.span(Duration.between(job.createdAt(), end)) + " after it was enqueued";
  }

  private static String because(JobStatus status) {
    String reason = status.reason();
    return reason == null || reason.isBlank() ? "" : ": " + Words.line(reason);
  }

  static String on(@Nullable String worker) {
    return worker == null ? "" : " on worker " + Words.quoted(worker);
  }

  static String at(String before, @Nullable Instant time) {
    return time == null ? "" : before + Words.time(time);
  }
}
