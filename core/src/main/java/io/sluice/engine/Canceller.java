package io.sluice.engine;

import io.sluice.CancelResult;
import io.sluice.Detail;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.JobRecord;
import io.sluice.JobState;
import io.sluice.Lane;
import io.sluice.Names;
import io.sluice.QueueSettings;
import io.sluice.SluiceException;
import io.sluice.WaitingJobs;
import io.sluice.store.CancelledJob;
import io.sluice.store.Count;
import io.sluice.store.JobStore;
import io.sluice.store.QueueRecord;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Ends jobs that are not over because a person wants it: one, all that wait, or all that hang on one. */
final class Canceller {
  private static final int ROUND = 5_000;
  /** How many that wait for one job are ended at its end. */
  private static final int MOST = 1_000_000;
  /** How often jobs may be found that are over, or start, before they can be cancelled. */
  private static final int TRIES = 100;

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
        .find(id, Detail.STATE)
        .map(job -> cancel(job, reason))
        .orElse(CancelResult.NOT_FOUND);
  }

  private CancelResult cancel(JobRecord job, String reason) {
    Duration keep = queues.apply(job.lane()).retention().of(JobState.CANCELLED);
    CancelResult result = store.cancel(job.id(), Judge.text(reason), keep);
    if (result == CancelResult.CANCELLED) {
      tell(new CancelledJob(job.id(), job.lane(), job.attempt()), reason);
    }
    return result;
  }

  private void tell(CancelledJob job, String reason) {
    interrupt.accept(job.id());
    events.job(Event.Kind.CANCELLED, job.id(), job.lane(), job.attempt(), false, reason);
  }

  /** Cancels jobs in one write, and returns how many of them were not over. */
  private int cancelTogether(List<UUID> jobs, String reason) {
    List<CancelledJob> cancelled = store.cancelAll(jobs, Judge.text(reason));
    cancelled.forEach(job -> tell(job, reason));
    return cancelled.size();
  }

  /**
   * Cancels a job and what waits for it. Those that wait end first, or one that runs in spite of a failure
   * would start in between; their reason names the job. Nothing happens when it is over already.
   */
  CancelResult cancelAll(UUID id, String reason) {
    Optional<JobRecord> job = store.find(id, Detail.STATE);
    if (job.isEmpty()) {
      return CancelResult.NOT_FOUND;
    }
    if (job.get().state().isFinal()) {
      return CancelResult.ALREADY_FINISHED;
    }
    String with = "cancelled with job " + id + ": " + reason;
    cancelSuccessors(id, with);
    CancelResult result = cancel(job.get(), reason);
    cancelSuccessors(id, with);
    return result;
  }

  /** The farthest first: each of the others then has one that it waits for until its own turn. */
  private void cancelSuccessors(UUID id, String reason) {
    long cancelled;
    do {
      List<UUID> last = store.links().successors(id, MOST).reversed();
      cancelled = 0;
      for (int from = 0; from < last.size(); from += ROUND) {
        List<UUID> some = last.subList(from, Math.min(from + ROUND, last.size()));
        cancelled += cancelTogether(some, reason);
      }
    } while (cancelled > 0);
  }

  /** Closes a batch and cancels what is not over of it and of the batches in it; how many jobs that were. */
  long cancelBatch(UUID batch, String reason) {
    long all = 0;
    int idle = 0;
    while (idle < TRIES) {
      store.links().closeAll(batch);
      List<UUID> some = store.links().unfinished(batch, ROUND);
      if (some.isEmpty()) {
        return all;
      }
      int cancelled = cancelTogether(some, reason);
      idle = cancelled == 0 ? idle + 1 : 0;
      all += cancelled;
    }
    throw new SluiceException(
        ErrorCode.PERSISTENCE_FAILURE,
        "jobs of batch " + batch + " move too fast to be cancelled: cancel it again");
  }

  /** Cancels what waits, many at a time, and returns how many jobs that were. */
  long cancelWaiting(WaitingJobs which, String reason) {
    String queue = which.queue();
    if (queue != null) {
      QueueRecord named = store
          .queues()
          .find(which.tenant(), queue)
          .orElseThrow(() -> Names.unknownQueue(which.tenant(), queue));
      return cancelInQueue(which, named, reason);
    }
    // Each queue keeps its finished jobs for a time of its own, and most queues have nothing that
    // waits.
    Set<String> busy = store.unfinished(which.tenant()).stream()
        .map(Count::queue)
        .collect(Collectors.toUnmodifiableSet());
    return store.queues().list().stream()
        .filter(q -> q.tenant().equals(which.tenant()) && busy.contains(q.name()))
        .mapToLong(q -> cancelInQueue(which, q, reason))
        .sum();
  }

  private long cancelInQueue(WaitingJobs which, QueueRecord queue, String reason) {
    Duration keep = queue.settings().retention().of(JobState.CANCELLED);
    long cancelled = 0;
    int round;
    do {
      round = store
          .cancelWaiting(which.inQueue(queue.name()), Judge.text(reason), keep, ROUND)
          .size();
      cancelled += round;
    } while (round == ROUND);
    return cancelled;
  }
}
