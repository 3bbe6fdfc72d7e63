package io.sluice.engine;

import io.sluice.Defaults;
import io.sluice.JobType;
import io.sluice.Lane;
import io.sluice.Progress;
import io.sluice.RetryPolicy;
import io.sluice.store.ClaimRef;
import io.sluice.store.ClaimedJob;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One claimed job in this engine's hands, from the claim until its end is written. Its end is decided
 * once: by the handler, the clock, a cancel, a lost lease or the shutdown, whoever comes first.
 */
final class Attempt {
  /** Why an attempt is over before its handler ended. */
  enum Over {
    TIMED_OUT,
    CANCELLED,
    LOST,
    SHUTDOWN
  }

  final ClaimedJob claimed;
  /** When the answer of the claim was there, by the ticker. */
  private final long answeredAt;

  final JobType<?> type;
  final RetryPolicy policy;
  final Duration timeout;

  /** What it was let start with by breakers, if there are any. */
  private volatile List<Circuit.Ticket> tickets = List.of();

  private final AtomicBoolean settled = new AtomicBoolean();
  private volatile @Nullable Over over;
  private @Nullable Thread handling;
  private boolean interrupted;
  private volatile long startedAt;
  private volatile long overAt;
  private volatile boolean completing;
  private volatile boolean expires = true;
  private final Object noteLock = new Object();
  private boolean spoken;
  /** Null as long as the handler says nothing, as most do. */
  private @Nullable Deque<String> lines;

  private @Nullable Progress progress;

  Attempt(
      ClaimedJob claimed, long answeredAt, JobType<?> type, RetryPolicy policy, Duration timeout) {
    this.claimed = claimed;
    this.answeredAt = answeredAt;
    this.type = type;
    this.policy = policy;
    this.timeout = timeout;
  }

  ClaimRef ref() {
    return claimed.ref();
  }

  /** The worker that this engine was when it claimed the job. */
  long worker() {
    return claimed.ref().worker();
  }

  Lane lane() {
    return claimed.lane();
  }

  /** The store's time at a moment of the ticker; behind it by no more than the answer of the claim took. */
  Instant storeTime(long nanoTime) {
    return claimed.claimedAt().plusNanos(nanoTime - answeredAt);
  }

  /** When the job is no longer wanted, if ever, by the store's clock. */
  @Nullable
  Instant expiry() {
    return expires ? claimed.spec().expiresAt() : null;
  }

  /** Forgets the expiry: whoever runs an expired job again wants it all the same. */
  void outliveExpiry() {
    expires = false;
  }

  void admitted(List<Circuit.Ticket> passes) {
    tickets = passes;
  }

  List<Circuit.Ticket> tickets() {
    return tickets;
  }

  /** True for the one caller that may decide how this attempt ends. */
  boolean settle() {
    return settled.compareAndSet(false, true);
  }

  boolean isSettled() {
    return settled.get();
  }

  /** Hands the thread over to the handler; false when the attempt is over already. */
  synchronized boolean enter(long now) {
    if (over != null || isSettled()) {
      return false;
    }
    handling = Thread.currentThread();
    startedAt = now;
    return true;
  }

  /** Takes the thread back: from here on it is not interrupted for this attempt. */
  synchronized void leave() {
    handling = null;
  }

  synchronized boolean isHandling() {
    return handling != null;
  }

  /**
   * Ends the attempt from outside. Its thread is interrupted while the handler has it, unless it works on
   * a batch whose other jobs go on. That happens once, whatever other reasons follow: what a handler does
   * to clean up is not for us to disturb, until a shutdown will wait no longer.
   */
  synchronized void end(Over why, long now) {
    if (over == null) {
      over = why;
      overAt = now;
    }
    if (why == Over.SHUTDOWN) {
      interrupt();
    } else if (!inBatch()) {
      interruptOnce();
    }
  }

  synchronized void interruptOnce() {
    if (!interrupted) {
      interrupt();
    }
  }

  private void interrupt() {
    if (handling != null) {
      interrupted = true;
      handling.interrupt();
    }
  }

  private boolean inBatch() {
    return type.work() instanceof JobType.Work.Many<?>;
  }

  @Nullable
  Over over() {
    return over;
  }

  long startedAt() {
    return startedAt;
  }

  long overAt() {
    return overAt;
  }

  StackTraceElement[] stack() {
    Thread thread;
    synchronized (this) {
      thread = handling;
    }
    return thread == null ? new StackTraceElement[0] : thread.getStackTrace();
  }

  void completing() {
    completing = true;
  }

  /** True when the handler put the completion into a transaction of its own. */
  boolean isCompleting() {
    return completing;
  }

  void note(Progress newest) {
    synchronized (noteLock) {
      spoken = true;
      progress = newest;
    }
  }

  void note(String line) {
    synchronized (noteLock) {
      spoken = true;
      if (lines == null) {
        lines = new ArrayDeque<>();
      }
      if (lines.size() == Defaults.MAX_LOG_LINES) {
        lines.removeFirst();
      }
      lines.addLast(line);
    }
  }

  /** True once the handler has said anything, whether or not somebody has taken it. */
  boolean hasSpoken() {
    synchronized (noteLock) {
      return spoken;
    }
  }

  /** What the handler said since the last call. */
  Notes.Said takeNotes() {
    synchronized (noteLock) {
      Notes.Said said = new Notes.Said(progress, lines == null ? List.of() : List.copyOf(lines));
      lines = null;
      progress = null;
      return said;
    }
  }
}
