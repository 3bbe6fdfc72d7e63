package io.sluice.server.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/** An HTTP server on this machine with a good, a slow, a flaky and a broken endpoint. */
final class SampleReceiver implements AutoCloseable {
  private static final int SLOW_LEAST_MILLIS = 300;
  private static final int SLOW_MOST_MILLIS = 2_500;
  private static final double FLAKINESS = 0.5;

  private final HttpServer http;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final RandomGenerator random;
  private final CountDownLatch over = new CountDownLatch(1);

  SampleReceiver(RandomGenerator random) {
    this.random = random;
    try {
      http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    http.setExecutor(threads);
    http.createContext("/good", exchange -> answer(exchange, 200));
    http.createContext("/slow", exchange -> {
      dawdle();
      answer(exchange, 200);
    });
    http.createContext("/flaky", exchange -> answer(exchange, draw() < FLAKINESS ? 503 : 200));
    http.createContext("/broken", exchange -> answer(exchange, 500));
    http.start();
  }

  String address() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  private synchronized double draw() {
    return random.nextDouble();
  }

  private void dawdle() {
    try {
      long millis = SLOW_LEAST_MILLIS + (long) (draw() * (SLOW_MOST_MILLIS - SLOW_LEAST_MILLIS));
      over.await(millis, TimeUnit.MILLISECONDS); // whoever stops it need not wait
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(HttpExchange exchange, int status) throws IOException {
    try (exchange) {
      exchange.getRequestBody().readAllBytes();
      byte[] body = ("{\"status\":" + status + "}").getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(status, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    over.countDown();
    http.stop(0);
    threads.close();
  }
}
