package io.sluice.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Finds the addresses of names, each caller with a time limit of its own. A look-up is a native call
 * that nobody can interrupt, so it is left to a few platform threads, and one that is under way serves
 * all who ask for the same name.
 */
final class Lookup implements AutoCloseable {
  private static final int THREADS = 16;
  private static final int WAITING = 1024;

  private final Resolver resolver;
  private final ThreadPoolExecutor threads;
  private final ConcurrentMap<String, CompletableFuture<List<InetAddress>>> underWay =
      new ConcurrentHashMap<>();

  Lookup(Resolver resolver) {
    this.resolver = resolver;
    this.threads = new ThreadPoolExecutor(
        THREADS,
        THREADS,
        10,
        TimeUnit.SECONDS,
        new LinkedBlockingQueue<>(WAITING),
        Thread.ofPlatform().daemon().name("sluice-dns-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  List<InetAddress> find(String host, Duration within)
      throws UnknownHostException, TimeoutException, InterruptedException {
    try {
      return underWay
          .computeIfAbsent(host, this::begin)
          .get(within.toNanos(), TimeUnit.NANOSECONDS);
    } catch (RejectedExecutionException e) {
      throw new UnknownHostException("too many names are being looked up");
    } catch (ExecutionException e) {
      throw new UnknownHostException(host);
    }
  }

  private CompletableFuture<List<InetAddress>> begin(String host) {
    CompletableFuture<List<InetAddress>> answer = new CompletableFuture<>();
    threads.execute(() -> {
      try {
        answer.complete(List.of(resolver.resolve(host)));
      } catch (UnknownHostException | RuntimeException e) {
        answer.completeExceptionally(e);
      } finally {
        underWay.remove(host, answer);
      }
    });
    return answer;
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
