package io.sluice.engine;

import io.sluice.Detail;
import io.sluice.ErrorCode;
import io.sluice.Event;
import io.sluice.SluiceException;
import io.sluice.store.ClaimRef;
import io.sluice.store.Finish;
import io.sluice.store.JobStore;
import io.sluice.store.LockTimeout;
import io.sluice.store.Verdict;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes verdicts to the store in their order, as many at a time as will do. A write that fails is tried again
 * for as long as the lease stands, after two failures in a row with fewer, and fewer again, so that a verdict
 * that cannot be written is soon alone; it is then put aside, and the others go on. Where a transaction of
 * somebody else's is in the way, the first failure will do. A verdict that the store refuses is replaced by
 * a plain failure. One thread at a time uses a writer.
 */
final class OutcomeWriter {
  /** A verdict on its way. */
  static final class Entry {
    private final Attempt attempt;
    private final Verdict verdict;
    private final long nanos;
    /** True when it may be written after all, in a call whose answer was lost. */
    private boolean unsure;

    Entry(Attempt attempt, Verdict verdict, long nanos) {
      this.attempt = attempt;
      this.verdict = verdict;
      this.nanos = nanos;
    }

    private Finish finish() {
      return new Finish(attempt.ref(), verdict);
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(OutcomeWriter.class);
  private static final int PATIENCE = 2;
  /** In how many parts a write is cut: the failures on the way to the one at fault are what takes time. */
  private static final int CUT = 4;

  private final JobStore store;
  private final Attempts attempts;
  private final Lease lease;
  private final Outcomes outcomes;
  private final int most;
  private final Consumer<Entry> aside;
  /** What has no answer from the store yet, in order. */
  private final Deque<Entry> unwritten = new ArrayDeque<>();

  private int size;
  private int failures;

  OutcomeWriter(Parts parts, int most, Consumer<Entry> aside) {
    this.store = parts.store;
    this.attempts = parts.attempts;
    this.lease = parts.lease;
    this.outcomes = parts.outcomes;
    this.most = most;
    this.size = most;
    this.aside = aside;
  }

  /** What a writer works with. */
  record Parts(JobStore store, Attempts attempts, Lease lease, Outcomes outcomes) {}

  boolean isEmpty() {
    return unwritten.isEmpty();
  }

  Collection<Entry> unwritten() {
    return unwritten;
  }

  /** Writes the first of what is unwritten. Throws where it is best to wait a moment. */
  void write() {
    List<Entry> batch = unwritten.stream().limit(size).toList();
    try {
      settled(batch, store.tryFinish(batch.stream().map(Entry::finish).toList()));
      // Where one was in the way, the next failure is likely to be its doing as well.
      failures = Math.max(0, Math.min(failures, PATIENCE) - 1);
      size = Math.min(most, 2 * size);
    } catch (RuntimeException e) {
      failed(batch, e);
    }
  }

  private void failed(List<Entry> batch, RuntimeException e) {
    if (!isOutage(e)) {
      batch.forEach(this::writeAlone);
      return;
    }
    batch.forEach(entry -> entry.unsure = true);
    if (!lease.isHeld() || lease.hasLapsed()) {
      LOG.warn("{} outcomes could not be written before the lease ran out", batch.size());
      batch.forEach(entry -> entry.unsure = false);
      settled(batch, Set.of());
      return;
    }
    boolean locked = e instanceof LockTimeout;
    failures++;
    if (locked || failures >= PATIENCE) {
      cutDown(batch);
    }
    if (!locked) {
      throw e;
    }
  }

  private void cutDown(List<Entry> batch) {
    if (batch.size() == 1) {
      aside.accept(unwritten.removeFirst());
    }
    size = Math.max(1, batch.size() / CUT);
  }

  private static boolean isOutage(RuntimeException e) {
    return e instanceof SluiceException s && s.code() == ErrorCode.PERSISTENCE_FAILURE;
  }

  private void writeAlone(Entry entry) {
    try {
      settled(List.of(entry), store.tryFinish(List.of(entry.finish())));
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
      settled(List.of(entry), store.tryFinish(List.of(new Finish(entry.attempt.ref(), plain))));
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
      boolean written = applied.contains(entry.attempt.ref()) || (entry.unsure && isWritten(entry));
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
  }

  /** True when an earlier writing, whose answer was lost, ended the job the way it should end. */
  private boolean isWritten(Entry entry) {
    return entry.verdict instanceof Verdict.End end
        && store
            .find(entry.attempt.ref().job(), Detail.STATE)
            .filter(job -> job.state() == end.state())
            .isPresent();
  }
}
