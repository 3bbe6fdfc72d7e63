package io.sluice.server;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** A receiver that takes its time, and remembers only which paths were called and how often in all. */
final class SlowReceiver implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Set<String> paths = ConcurrentHashMap.newKeySet();
  private final AtomicLong requests = new AtomicLong();
  private final HttpServer http;

  SlowReceiver(Duration pause) {
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.setExecutor(threads);
    http.createContext("/", exchange -> {
      try (exchange) {
        requests.incrementAndGet();
        paths.add(exchange.getRequestURI().getPath());
        LockSupport.parkNanos(pause.toNanos());
        exchange.sendResponseHeaders(204, -1);
      }
    });
    http.start();
  }

  String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  Set<String> paths() {
    return Set.copyOf(paths);
  }

  long requests() {
    return requests.get();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.close();
  }
}
