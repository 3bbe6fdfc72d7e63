package io.sluice.postgres;

import io.sluice.postgres.Inserter.SharedRow;
import io.sluice.store.LockTimeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jobs that wait because somebody else's transaction holds their idempotency key, is making their queue or lane, or
 * holds what counts the jobs of their capped queue or tenant. They are tried again on a thread of their own, apart
 * from those who wait for nobody, until that transaction ends or they have waited for as long as a statement may take.
 *
 * <p>PostgreSQL grants a lock in the order of arrival, so tries that give up soon would lose their position again and
 * again while other transactions queue up for the same row. A few tries at a time therefore wait long, each longer
 * than the one before, on threads of their own, so that nobody else waits for them.
 */
final class HeldInserts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeldInserts.class);
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);
  /** How many tries wait long at a time. They take connections that the other writes need as well. */
  private static final int LONG_WAITS = 2;
  /** How long such a try waits for a lock, as a multiple of its pause: 160 ms at first, 4 seconds at most. */
  private static final int LONG_WAIT_PER_PAUSE = 8;

  private record Held(
      Flush.Waiting waiting, Set<SharedRow> rows, long deadline, long pause, long nextTry) {
    boolean hasKey() {
      return waiting.job().spec().idempotencyKey() != null;
    }

    Held later(long now) {
      return new Held(waiting, rows, deadline, Math.min(2 * pause, LONGEST_PAUSE), now + pause);
    }
  }

  private final Inserter inserter;
  private final Duration patience;
  private final Consumer<List<Answer>> onInserted;
  private final Thread thread;
  private final Semaphore longWaits = new Semaphore(LONG_WAITS);
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition added = lock.newCondition();
  private final List<Held> waiting = new ArrayList<>();
  /** How many jobs wait for each row, those among them that are being written at this moment. */
  private final Map<SharedRow, Integer> wanted = new HashMap<>();

  private boolean closed;

  HeldInserts(Inserter inserter, Duration patience, Consumer<List<Answer>> onInserted) {
    this.inserter = inserter;
    this.patience = patience;
    this.onInserted = onInserted;
    this.thread = Thread.ofPlatform().daemon().name("sluice-flush-held").unstarted(this::loop);
  }

  void start() {
    thread.start();
  }

  void add(Flush.Waiting job) {
    long now = System.nanoTime();
    add(new Held(job, inserter.mayWaitFor(job.job()), now + patience.toNanos(), FIRST_PAUSE, now));
  }

  /** Takes a job that would have to wait for what others here wait for; false for any other. */
  boolean takes(Flush.Waiting job) {
    lock.lock();
    try {
      boolean held = !wanted.isEmpty()
          && inserter.mayWaitFor(job.job()).stream().anyMatch(wanted::containsKey);
      if (held) {
        add(job);
      }
      return held;
    } finally {
      lock.unlock();
    }
  }

  private void add(Held held) {
    lock.lock();
    try {
      if (closed) {
        held.waiting.fail(GroupCommit.closedStore());
      } else {
        waiting.add(held);
        held.rows.forEach(row -> wanted.merge(row, 1, Integer::sum));
        added.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      waiting.forEach(held -> held.waiting.fail(GroupCommit.closedStore()));
      waiting.clear();
      added.signal();
    } finally {
      lock.unlock();
    }
  }

  private void loop() {
    try {
      for (List<Held> due = awaitDue(); !due.isEmpty(); due = awaitDue()) {
        groups(due).forEach(this::attempt);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes those whose time has come; none once this is closed. */
  private List<Held> awaitDue() throws InterruptedException {
    lock.lock();
    try {
      while (!closed) {
        long now = System.nanoTime();
        Map<Boolean, List<Held>> parts =
            waiting.stream().collect(Collectors.partitioningBy(held -> held.nextTry - now <= 0));
        List<Held> due = parts.getOrDefault(true, List.of());
        if (!due.isEmpty()) {
          waiting.clear();
          waiting.addAll(parts.getOrDefault(false, List.of()));
          return due;
        }
        added.awaitNanos(
            waiting.stream().mapToLong(held -> held.nextTry - now).min().orElse(Long.MAX_VALUE));
      }
      return List.of();
    } finally {
      lock.unlock();
    }
  }

  /** Lets go of the rows of those that were tried; those that still wait have been added again. */
  private void forget(List<Held> tried) {
    lock.lock();
    try {
      tried.forEach(held -> held.rows.forEach(
          row -> wanted.computeIfPresent(row, (same, jobs) -> jobs == 1 ? null : jobs - 1)));
    } finally {
      lock.unlock();
    }
  }

  /** Those without a key that wait for the same rows go together, the others one by one. */
  private static List<List<Held>> groups(List<Held> due) {
    Map<Boolean, List<Held>> parts = due.stream().collect(Collectors.partitioningBy(Held::hasKey));
    List<List<Held>> groups = new ArrayList<>();
    parts.getOrDefault(true, List.of()).forEach(held -> groups.add(List.of(held)));
    groups.addAll(parts.getOrDefault(false, List.of()).stream()
        .collect(Collectors.groupingBy(Held::rows))
        .values());
    return groups;
  }

  private void attempt(List<Held> group) {
    if (longWaits.tryAcquire()) {
      Thread.ofVirtual().name("sluice-flush-held-long").start(() -> attemptLong(group));
    } else {
      attempt(group, Connections.LOCK_WAIT);
    }
  }

  private void attemptLong(List<Held> group) {
    try {
      long pause = group.stream().mapToLong(Held::pause).max().orElse(FIRST_PAUSE);
      // Well below the limit of a statement, which would end it with another error.
      long longest = patience.toNanos() / 4;
      attempt(group, Duration.ofNanos(Math.min(LONG_WAIT_PER_PAUSE * pause, longest)));
    } finally {
      longWaits.release();
    }
  }

  private void attempt(List<Held> group, Duration lockWait) {
    Set<Flush.Waiting> stillHeld = new HashSet<>();
    new Flush(inserter, lockWait, onInserted, stillHeld::addAll)
        .write(group.stream().map(Held::waiting).toList());
    group.stream().filter(held -> stillHeld.contains(held.waiting)).forEach(this::putBack);
    forget(group);
  }

  private void putBack(Held held) {
    long now = System.nanoTime();
    if (held.deadline - now > 0) {
      add(held.later(now));
    } else {
      LOG.info("A job was refused: for {} another transaction held one of {}", patience, held.rows);
      held.waiting.fail(new LockTimeout(
          "another transaction holds the idempotency key, the queue or type that is new, or the count of the capped"
              + " queue or tenant",
          null));
    }
  }
}
