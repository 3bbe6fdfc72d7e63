package io.sluice.engine;

import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.SluiceException;
import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.Verdict;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes verdicts to the store, many at a time, through a bounded queue that makes handlers wait
 * rather than let claims run ahead of what is written. What cannot be written now is tried again for
 * as long as the lease stands; a verdict that the store refuses is replaced by a plain failure, and
 * never holds up its neighbours.
 */
final class Finisher {
  /** A verdict on its way. */
  record Entry(Attempt attempt, Verdict verdict, long nanos) {
    Finish finish() {
      return new Finish(attempt.ref(), verdict);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(Finisher.class);
  private static final int BOUND = 2_000;
  private static final int BATCH = 1_000;
  private static final long PATIENCE_MILLIS = 100;

  private final JobStore store;
  private final Attempts attempts;
  private final Lease lease;
  private final Outcomes outcomes;
  private final BlockingQueue<Entry> queue = new ArrayBlockingQueue<>(BOUND);
  /** What was taken from the queue and has no answer from the store yet, in order. */
  private final Deque<Entry> unwritten = new ArrayDeque<>();
  /** True when what is unwritten may be written after all, in a call whose answer was lost. */
  private boolean unsure;

  Finisher(JobStore store, Attempts attempts, Lease lease, Outcomes outcomes) {
    this.store = store;
    this.attempts = attempts;
    this.lease = lease;
    this.outcomes = outcomes;
  }

  /** Takes the verdict on an attempt that the caller has settled. */
  void submit(Attempt attempt, Verdict verdict, long nanos) {
    Entry entry = new Entry(attempt, verdict, nanos);
    boolean interrupted = false;
    while (true) {
      try {
        queue.put(entry);
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  Duration runOnce() throws InterruptedException {
    if (unwritten.isEmpty()) {
      gather();
    }
    if (!unwritten.isEmpty()) {
      write(List.copyOf(unwritten));
    }
    return Duration.ZERO;
  }

  private void gather() throws InterruptedException {
    Entry first = queue.poll(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
    if (first != null) {
      unwritten.add(first);
      queue.drainTo(unwritten, BATCH - 1);
    }
  }

  private void write(List<Entry> batch) {
    try {
      settled(batch, store.finish(batch.stream().map(Entry::finish).toList()));
    } catch (RuntimeException e) {
      if (!isOutage(e)) {
        batch.forEach(this::writeAlone);
      } else if (lease.isHeld() && !lease.hasLapsed()) {
        unsure = true;
        throw e;
      } else {
        LOG.warn("{} outcomes could not be written before the lease ran out", batch.size());
        unsure = false;
        settled(batch, Set.of());
      }
    }
  }

  private static boolean isOutage(RuntimeException e) {
    return e instanceof SluiceException s && s.code() == ErrorCode.PERSISTENCE_FAILURE;
  }

  private void writeAlone(Entry entry) {
    try {
      settled(List.of(entry), store.finish(List.of(entry.finish())));
    } catch (RuntimeException e) {
      refused(entry, e);
    }
  }

  private void refused(Entry entry, RuntimeException why) {
    if (isOutage(why)) {
      throw why;
    }
    LOG.warn(
        "the store refused the outcome of job {}: {}", entry.attempt.ref().job(), why.toString());
    Verdict plain = switch (entry.verdict) {
      case Verdict.End end ->
        new Verdict.End(end.state(), null, "outcome not storable", null, end.keepFor());
      case Verdict.Again again ->
        new Verdict.Again(again.state(), again.when(), again.spent(), again.strikes(), null);
    };
    try {
      settled(List.of(entry), store.finish(List.of(new Finish(entry.attempt.ref(), plain))));
    } catch (RuntimeException e) {
      if (isOutage(e)) {
        throw e;
      }
      LOG.error("the store refuses every outcome of job {}", entry.attempt.ref().job(), e);
      settled(List.of(entry), Set.of());
    }
  }

  /** Lets go of the first of what is unwritten: these, of which the applied took effect. */
  private void settled(List<Entry> batch, Set<ClaimRef> applied) {
    for (Entry entry : batch) {
      boolean written = applied.contains(entry.attempt.ref()) || (unsure && isWritten(entry));
      attempts.remove(entry.attempt);
      unwritten.removeFirst();
      if (written) {
        outcomes.tell(entry.attempt.claimed, entry.verdict, entry.nanos);
      } else if (entry.attempt.isCompleting()) {
        outcomes.completed(entry.attempt.claimed, entry.nanos);
      } else {
        LOG.debug("the outcome of job {} came too late", entry.attempt.ref().job());
        outcomes.tell(
            Event.Kind.LOST, entry.attempt.claimed, "the outcome came after the claim had ended");
      }
    }
    unsure = unsure && !unwritten.isEmpty();
  }

  /** True when an earlier writing, whose answer was lost, ended the job the way it should end. */
  private boolean isWritten(Entry entry) {
    return entry.verdict instanceof Verdict.End end
        && store
            .find(entry.attempt.ref().job())
            .filter(job -> job.state() == end.state())
            .isPresent();
  }
}
