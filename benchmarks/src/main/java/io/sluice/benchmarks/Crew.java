package io.sluice.benchmarks;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that all do the same thing as fast as they can. */
public final class Crew {
  /** What one thread does. */
  public interface Worker extends AutoCloseable {
    void once() throws Exception;

    @Override
    default void close() throws Exception {}
  }

  /** Makes the worker of a thread. */
  public interface Hire {
    Worker worker(int number) throws Exception;
  }

  private Crew() {}

  /** So many threads, each so many times; how often a second all together. */
  static double rate(int threads, int times, Hire hire) throws Exception {
    return rate(Executors.newFixedThreadPool(threads), threads, times, hire);
  }

  /** The same with virtual threads, which is what calls of the server and handlers run on. */
  public static double virtualRate(int threads, int times, Hire hire) throws Exception {
    return rate(Executors.newVirtualThreadPerTaskExecutor(), threads, times, hire);
  }

  private static double rate(ExecutorService executor, int threads, int times, Hire hire)
      throws Exception {
    CountDownLatch ready = new CountDownLatch(threads);
    CountDownLatch go = new CountDownLatch(1);
    try (ExecutorService pool = executor) {
      List<Future<?>> results = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        int number = i;
        results.add(pool.submit(() -> {
          try (Worker worker = hire.worker(number)) {
            ready.countDown();
            go.await();
            for (int n = 0; n < times; n++) {
              worker.once();
            }
          }
          return null;
        }));
      }
      ready.await();
      long start = System.nanoTime();
      go.countDown();
      for (Future<?> result : results) {
        result.get();
      }
      return (double) threads * times * 1e9 / (System.nanoTime() - start);
    }
  }
}
