package io.sluice.postgres;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import io.sluice.store.NewJob;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
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

  private record Waiting(NewJob job, CompletableFuture<Answer> answer) {}

  private final Inserter inserter;
  private final Consumer<List<Answer>> told;
  private final Queue<Waiting> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger queued = new AtomicInteger();
  private final Thread thread;
  private int expected = 1;
  /** How many must be there before the thread is woken: once for all of them, not for each. */
  private volatile int wanted = 1;

  private volatile boolean closed;

  GroupCommit(Inserter inserter, Consumer<List<Answer>> told) {
    this.inserter = inserter;
    this.told = told;
    this.thread = Thread.ofPlatform().daemon().name("sluice-flush").unstarted(this::loop);
  }

  void start() {
    thread.start();
  }

  Answer insert(NewJob job) {
    if (thread.getState() == Thread.State.NEW) {
      throw new SluiceException(
          ErrorCode.PERSISTENCE_FAILURE, "the store is not open: call open()");
    }
    Waiting waiting = new Waiting(job, new CompletableFuture<>());
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
  }

  /** Whoever was taken from the queue gets an answer, whatever happens: nobody waits for ever. */
  private void loop() {
    while (!closed) {
      List<Waiting> batch = new ArrayList<>();
      try {
        if (await(1, IDLE_NANOS)) {
          await(expected, MOMENT_NANOS);
          gather(batch);
          flush(batch);
        }
      } catch (RuntimeException | Error e) {
        fail(batch, e);
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

  private void gather(List<Waiting> batch) {
    long bytes = 0;
    while (batch.size() < LARGEST && bytes < LARGEST_BYTES) {
      Waiting next = take();
      if (next == null) {
        break;
      }
      batch.add(next);
      bytes += next.job().spec().payload().length();
    }
    expected = Math.max(1, batch.size());
  }

  private @Nullable Waiting take() {
    Waiting next = queue.poll();
    if (next != null) {
      queued.decrementAndGet();
    }
    return next;
  }

  /** Writes a batch; one that is refused for what is in it is cut in two until the bad one is alone. */
  private void flush(List<Waiting> batch) {
    try {
      List<Answer> answers = inserter.each(batch.stream().map(Waiting::job).toList());
      for (int i = 0; i < batch.size(); i++) {
        batch.get(i).answer().complete(answers.get(i));
      }
      told.accept(answers);
    } catch (SQLException e) {
      if (batch.size() > 1 && Failures.isData(e)) {
        halves(batch);
      } else {
        fail(batch, Failures.of(e));
      }
    } catch (SluiceException e) {
      if (batch.size() > 1 && e.code() != ErrorCode.PERSISTENCE_FAILURE) {
        halves(batch);
      } else {
        fail(batch, e);
      }
    } catch (RuntimeException | Error e) {
      fail(batch, e);
    }
  }

  private void halves(List<Waiting> batch) {
    int middle = batch.size() / 2;
    flush(batch.subList(0, middle));
    flush(batch.subList(middle, batch.size()));
  }

  private static void fail(List<Waiting> batch, Throwable why) {
    batch.forEach(waiting -> waiting.answer().completeExceptionally(why));
  }

  private void refuseRest() {
    for (Waiting next = take(); next != null; next = take()) {
      next.answer().completeExceptionally(closedStore());
    }
  }

  private static SluiceException closedStore() {
    return new SluiceException(ErrorCode.SHUTDOWN_IN_PROGRESS, "the store is closed");
  }

  private static String plainMessage(SluiceException e) {
    String message = String.valueOf(e.getMessage());
    String code = e.code() + ": ";
    return message.startsWith(code) ? message.substring(code.length()) : message;
  }
}
