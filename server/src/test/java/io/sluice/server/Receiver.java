package io.sluice.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Somebody else's server, on loopback: answers as it is told and remembers what it was sent. */
public final class Receiver implements AutoCloseable {
  /** What came. */
  public record Got(String method, String uri, HttpHeaders headers, String body) {
    public String header(String name) {
      return headers.firstValue(name).orElse("");
    }
  }

  /** What to answer. */
  public record Reply(int status, Map<String, String> headers, String body) {
    public static Reply of(int status) {
      return new Reply(status, Map.of(), "");
    }

    public Reply with(String header, String value) {
      return new Reply(status, Map.of(header, value), body);
    }
  }

  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final HttpServer http;
  private final List<Got> got = new CopyOnWriteArrayList<>();
  private final ConcurrentMap<String, Function<Got, Reply>> answers = new ConcurrentHashMap<>();

  public Receiver() {
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
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      Got request = new Got(
          exchange.getRequestMethod(),
          exchange.getRequestURI().toString(),
          HttpHeaders.of(exchange.getRequestHeaders(), (name, value) -> true),
          body);
      got.add(request);
      Reply reply = answers
          .getOrDefault(exchange.getRequestURI().getPath(), any -> Reply.of(200))
          .apply(request);
      reply.headers.forEach(exchange.getResponseHeaders()::add);
      byte[] bytes = reply.body.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(reply.status, bytes.length == 0 ? -1 : bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  /** Answers requests to a path this way; without a rule the answer is 200. */
  public Receiver answer(String path, Function<Got, Reply> rule) {
    answers.put(path, rule);
    return this;
  }

  public String url() {
    return "http://127.0.0.1:" + http.getAddress().getPort();
  }

  /** Everything that came for a path, in order. */
  public List<Got> got(String path) {
    return got.stream()
        .filter(g -> g.uri.equals(path) || g.uri.startsWith(path + "?"))
        .toList();
  }

  /** Waits for so many requests to a path and returns the last of them. */
  public Got await(String path, int count) {
    Eventually.await(count + " requests to " + path, () -> got(path).size() >= count);
    return got(path).get(count - 1);
  }

  public Optional<Got> first(String path) {
    return got(path).stream().findFirst();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.close();
  }
}
