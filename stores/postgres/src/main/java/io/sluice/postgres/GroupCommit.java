package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.store.NewJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lets callers that enqueue one job each share a commit: whatever came in while the last commit was
 * under way goes into the next. The first to come after a lull goes at once; under load, those who
 * were in the last commit get a moment to come back, because half as many commits cost half as much.
 */
final class GroupCommit implements AutoCloseable {
  private static final long MOMENT_NANOS = 300_000;
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int LARGEST = 500;
  private static final long LARGEST_BYTES = 8L << 20;

  private final Inserter inserter;
  private final Flush flush;
  private final HeldInserts held;
  private final Queue<Flush.Waiting> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final Thread thread;
  private int expected = 1;
  /** How many must be there before the thread is woken: once for all of them, not for each. */
  private volatile int wanted = 1;

  private volatile boolean closed;

  /** {@code patience} is how long a job may wait for a transaction of somebody else. */
  GroupCommit(Inserter inserter, Duration patience, Consumer<List<Answer>> onInserted) {
    this.inserter = inserter;
    this.flush = new Flush(inserter, Connections.LOCK_WAIT, onInserted, this::setAside);
    this.held = new HeldInserts(inserter, patience, onInserted);
    this.thread = Thread.ofPlatform().daemon().name("sluice-flush").unstarted(this::loop);
  }

  void start() {
    thread.start();
    held.start();
  }

  Answer insert(NewJob job) {
    if (thread.getState() == Thread.State.NEW) {
      throw new SluiceException(
          ErrorCode.PERSISTENCE_FAILURE, "the store is not open: call open()");
    }
    Flush.Waiting waiting = new Flush.Waiting(job);
    queue.add(waiting);
    if (queued.incrementAndGet() >= wanted) {
      LockSupport.unpark(thread);
    }
    if (closed) {
      refuseRest();
    }
    try {
      return waiting.answer().join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof SluiceException s) {
        // Its own exception for each caller, with a stack that shows who called.
        throw new SluiceException(s.code(), plainMessage(s), s);
      }
      throw e;
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    refuseRest();
    held.close();
  }

  /** Whoever was taken from the queue gets an answer, whatever happens: nobody waits for ever. */
  private void loop() {
    while (!closed) {
      List<Flush.Waiting> batch = new ArrayList<>();
      try {
        if (await(1, IDLE_NANOS)) {
          await(expected, MOMENT_NANOS);
          gather(batch);
          batch.removeIf(held::takes);
          flush.write(batch);
        }
      } catch (RuntimeException | Error e) {
        Flush.fail(batch, e);
      }
    }
    refuseRest();
  }

  /** Waits until so many are there, at most so long; true when they are. */
  private boolean await(int jobs, long nanos) {
    long end = System.nanoTime() + nanos;
    wanted = jobs;
    for (long left = nanos;
        left > 0 && queued.get() < jobs && !closed;
        left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
    return queued.get() >= jobs;
  }

  private void gather(List<Flush.Waiting> batch) {
    long bytes = 0;
    while (batch.size() < LARGEST && bytes < LARGEST_BYTES) {
      Flush.Waiting next = take();
      if (next == null) {
        break;
      }
      batch.add(next);
      bytes += next.job().spec().payload().length();
    }
    expected = Math.max(1, batch.size());
  }

  private Flush.@Nullable Waiting take() {
    Flush.Waiting next = queue.poll();
    if (next != null) {
      queued.decrementAndGet();
    }
    return next;
  }

  /** Writes those at once that wait for nobody, and has the others written apart from them. */
  private void setAside(List<Flush.Waiting> batch) {
    List<Flush.Waiting> plain = batch.stream()
        .filter(waiting -> inserter.mayWaitFor(waiting.job()).isEmpty())
        .toList();
    if (plain.size() == batch.size()) {
      batch.forEach(held::add);
      return;
    }
    batch.stream().filter(waiting -> !plain.contains(waiting)).forEach(held::add);
    flush.write(plain);
  }

  private void refuseRest() {
    for (Flush.Waiting next = take(); next != null; next = take()) {
      next.fail(closedStore());
    }
  }

  static SluiceException closedStore() {
    return new SluiceException(ErrorCode.SHUTDOWN_IN_PROGRESS, "the store is closed");
  }

  private static String plainMessage(SluiceException e) {
    String message = String.valueOf(e.getMessage());
    String code = e.code() + ": ";
    return message.startsWith(code) ? message.substring(code.length()) : message;
  }
}
