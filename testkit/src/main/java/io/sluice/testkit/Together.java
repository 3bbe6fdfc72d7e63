package io.sluice.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Several threads that begin at the same moment. */
public final class Together {
  private static final long DEADLINE_SECONDS = 60;

  private Together() {}

  /** Runs what {@code work} makes for each number from 0, and returns the results in that order. */
  public static <T> List<T> run(int threads, IntFunction<Callable<T>> work) {
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService crew = Executors.newFixedThreadPool(threads);
    try {
      List<Future<T>> futures = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        Callable<T> task = work.apply(i);
        futures.add(crew.submit(() -> {
          start.await(DEADLINE_SECONDS, TimeUnit.SECONDS);
          return task.call();
        }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get(DEADLINE_SECONDS, TimeUnit.SECONDS));
      }
      return results;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    } catch (Exception e) {
      throw new AssertionError("a thread failed or did not end", e);
    } finally {
      crew.shutdownNow();
    }
  }
}
