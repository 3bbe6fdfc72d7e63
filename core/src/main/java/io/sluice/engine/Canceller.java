package io.sluice.engine;

import io.sluice.CancelResult;
import io.sluice.Event;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Names;
import io.sluice.QueueSettings;
import io.sluice.WaitingJobs;
import io.sluice.store.JobStore;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;

/** Ends jobs that are not over because a person wants it: one, all that wait, or all that hang on one. */
final class Canceller {
  private static final int ROUND = 5_000;

  private final JobStore store;
  private final Function<Lane, QueueSettings> queues;
  private final Consumer<UUID> interrupt;
  private final Events events;

  /** With {@code interrupt}, a handler that has the job here hears of its end at once. */
  Canceller(
      JobStore store,
      Function<Lane, QueueSettings> queues,
      Consumer<UUID> interrupt,
      Events events) {
    this.store = store;
    this.queues = queues;
    this.interrupt = interrupt;
    this.events = events;
  }

  CancelResult cancel(UUID id, String reason) {
    return store
        .find(id)
        .map(job -> cancel(Cascade.Item.of(job), reason))
        .orElse(CancelResult.NOT_FOUND);
  }

  CancelResult cancel(Cascade.Item job, String reason) {
    Duration keep = queues.apply(job.lane()).retention().of(JobState.CANCELLED);
    CancelResult result = store.cancel(job.id(), Judge.text(reason), keep);
    if (result == CancelResult.CANCELLED) {
      interrupt.accept(job.id());
      events.job(Event.Kind.CANCELLED, job.id(), job.lane(), job.attempt(), false, reason);
    }
    return result;
  }

  /**
   * Cancels a job and what waits for it. Those that wait end first, or one that runs in spite of a failure
   * would start in between; their reason names the job. Nothing happens when it is over already.
   */
  CancelResult cancelAll(UUID id, String reason) {
    Optional<JobRecord> job = store.find(id);
    if (job.isEmpty()) {
      return CancelResult.NOT_FOUND;
    }
    if (job.get().state().isFinal()) {
      return CancelResult.ALREADY_FINISHED;
    }
    String with = "cancelled with job " + id + ": " + reason;
    cancelSuccessors(id, with);
    CancelResult result = cancel(Cascade.Item.of(job.get()), reason);
    cancelSuccessors(id, with);
    return result;
  }

  private void cancelSuccessors(UUID id, String reason) {
    long cancelled;
    do {
      cancelled = cancel(Cascade.of(store, store.links().successors(id, ROUND)).jobs(), reason);
    } while (cancelled > 0);
  }

  /** Cancels jobs in this order, and returns how many of them were not over. */
  private long cancel(List<Cascade.Item> jobs, String reason) {
    return jobs.stream()
        .filter(job -> cancel(job, reason) == CancelResult.CANCELLED)
        .count();
  }

  /** Closes a batch and cancels what is not over of it and of the batches in it; how many jobs that were. */
  long cancelBatch(UUID batch, String reason) {
    store.links().close(batch);
    long all = 0;
    long cancelled;
    do {
      Cascade members = Cascade.of(store, store.links().unfinished(batch, ROUND));
      cancelled = cancel(members.jobs(), reason);
      for (UUID nested : members.batches()) {
        cancelled += cancelBatch(nested, reason);
      }
      all += cancelled;
    } while (cancelled > 0);
    return all;
  }

  /** Cancels what waits, many at a time, and returns how many jobs that were. */
  long cancelWaiting(WaitingJobs which, String reason) {
    String queue = which.queue();
    if (queue != null) {
      return cancelInQueue(which, queue, reason);
    }
    // Each queue keeps its finished jobs for a time of its own.
    return store.queues().list().stream()
        .filter(q -> q.tenant().equals(which.tenant()))
        .mapToLong(q -> cancelInQueue(which, q.name(), reason))
        .sum();
  }

  private long cancelInQueue(WaitingJobs which, String queue, String reason) {
    Duration keep = store
        .queues()
        .find(which.tenant(), queue)
        .orElseThrow(() -> Names.unknownQueue(which.tenant(), queue))
        .settings()
        .retention()
        .of(JobState.CANCELLED);
    long cancelled = 0;
    int round;
    do {
      round = store
          .cancelWaiting(which.inQueue(queue), Judge.text(reason), keep, ROUND)
          .size();
      cancelled += round;
    } while (round == ROUND);
    return cancelled;
  }
}
