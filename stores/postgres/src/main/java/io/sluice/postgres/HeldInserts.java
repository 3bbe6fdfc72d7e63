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
 * <p>Each try waits longer for the lock than the one before. PostgreSQL grants a lock in the order of arrival, so a try
 * that gives up too soon would lose its position again and again while other transactions queue up for the same row.
 */
final class HeldInserts implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HeldInserts.class);
  private static final long FIRST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);
  /** How long a try waits for a lock, as a multiple of its pause: 40 ms at first, a second at most. */
  private static final int LOCK_WAIT_PER_PAUSE = 2;

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
        List<List<Held>> groups = groups(due);
        groups.forEach(group -> attempt(group, lockWait(group, groups.size())));
        forget(due);
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

  /** The groups come one after the other, so they share the time: none waits long for the locks of many others. */
  private static Duration lockWait(List<Held> group, int groups) {
    long pause = group.stream().mapToLong(Held::pause).max().orElse(FIRST_PAUSE);
    Duration share = Duration.ofNanos(LOCK_WAIT_PER_PAUSE * pause / groups);
    return share.compareTo(Connections.LOCK_WAIT) < 0 ? Connections.LOCK_WAIT : share;
  }

  private void attempt(List<Held> group, Duration lockWait) {
    Set<Flush.Waiting> stillHeld = new HashSet<>();
    new Flush(inserter, lockWait, onInserted, stillHeld::addAll)
        .write(group.stream().map(Held::waiting).toList());
    group.stream().filter(held -> stillHeld.contains(held.waiting)).forEach(this::putBack);
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
