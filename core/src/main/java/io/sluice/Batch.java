package io.sluice;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Jobs of one type that are handled together, each with an outcome of its own. */
public final class Batch<T> {
  private final List<Job<T>> jobs;
  private final Map<UUID, JobContext> contexts;
  private final Map<UUID, Outcome> answers = new ConcurrentHashMap<>();

  public Batch(List<Job<T>> jobs, Map<UUID, JobContext> contexts) {
    this.jobs = List.copyOf(jobs);
    this.contexts = Map.copyOf(contexts);
  }

  public List<Job<T>> jobs() {
    return jobs;
  }

  public JobContext context(Job<T> job) {
    JobContext context = contexts.get(job.id());
    if (context == null) {
      throw new IllegalArgumentException("job " + job.id() + " is not of this batch");
    }
    return context;
  }

  /** Says what shall become of one job of the batch. The last answer counts. */
  public void answer(Job<T> job, Outcome outcome) {
    context(job);
    answers.put(job.id(), outcome);
  }

  public Optional<Outcome> answerFor(UUID job) {
    return Optional.ofNullable(answers.get(job));
  }
}
