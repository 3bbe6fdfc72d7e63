package io.sluice.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/** A receiver of very many requests: remembers of each when it came, where to, for which job, and its answer. */
public final class Target implements AutoCloseable {
  record Hit(long at, String path, String job, int status) {}

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Hit> hits = new ConcurrentLinkedQueue<>();
  private final AtomicInteger count = new AtomicInteger();
  private final ToIntFunction<String> status;
  private final HttpServer http;

  /** Answers each request with the status that this says for its path, when it says so. */
  public Target(ToIntFunction<String> status) {
    this.status = status;
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.setExecutor(threads);
    http.createContext("/", this::handle);
    http.start();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      long now = System.nanoTime();
      String path = exchange.getRequestURI().getPath();
      String job = exchange.getRequestHeaders().getFirst("sluice-job-id");
      exchange.getRequestBody().readAllBytes();
      count.incrementAndGet();
      int answer = status.applyAsInt(path);
      hits.add(new Hit(now, path, job, answer));
      exchange.sendResponseHeaders(answer, -1);
    }
  }

  public String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** How many requests have come, answered or not. */
  public int count() {
    return count.get();
  }

  /** The requests that were answered and are like this. */
  List<Hit> hits(Predicate<Hit> which) {
    return hits.stream().filter(which).toList();
  }

  /** The most requests within any second. */
  int mostInASecond() {
    long[] times = hits.stream().mapToLong(Hit::at).sorted().toArray();
    int most = 0;
    int first = 0;
    for (int last = 0; last < times.length; last++) {
      while (times[last] - times[first] >= 1_000_000_000L) {
        first++;
      }
      most = Math.max(most, last - first + 1);
    }
    return most;
  }

  @Override
  public void close() {
    http.stop(0);
    threads.close();
  }
}
