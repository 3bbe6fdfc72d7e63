package io.sluice.http;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ServerSocketFactory;

/** A receiver on a real socket of loopback, which keeps what it got and answers as a test wants. */
final class Receiver implements AutoCloseable {
  /** A request as it came. */
  record Request(String method, String target, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.get(name);
    }
  }

  /** What to say to a request: the whole answer, byte by byte. */
  interface Script {
    String answer(Request request);
  }

  /** What to do with a connection. */
  interface Conduct {
    void with(Socket socket) throws IOException;
  }

  private final ServerSocket server;
  private final String scheme;
  private final Conduct conduct;
  private final List<Request> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger connections = new AtomicInteger();
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private Receiver(ServerSocket server, String scheme, Script script, Conduct conduct) {
    this.server = server;
    this.scheme = scheme;
    this.conduct = conduct == null ? socket -> converse(socket, script) : conduct;
    Thread.ofVirtual().start(this::accept);
  }

  static Receiver answering(Script script) {
    return new Receiver(bound("127.0.0.1", ServerSocketFactory.getDefault()), "http", script, null);
  }

  static Receiver at(String address, Script script) {
    return new Receiver(bound(address, ServerSocketFactory.getDefault()), "http", script, null);
  }

  static Receiver on(InetSocketAddress address, Script script) {
    return new Receiver(bound(address, ServerSocketFactory.getDefault()), "http", script, null);
  }

  static Receiver secure(ServerSocketFactory tls, Script script) {
    return new Receiver(bound("127.0.0.1", tls), "https", script, null);
  }

  /** One that does not speak HTTP by itself. */
  static Receiver raw(Conduct conduct) {
    return new Receiver(
        bound("127.0.0.1", ServerSocketFactory.getDefault()), "http", null, conduct);
  }

  static String ok(String body) {
    return answer(200, "", body);
  }

  /** An answer with headers, each ended by CR LF. */
  static String answer(int status, String headers, String body) {
    int length = body.getBytes(StandardCharsets.UTF_8).length;
    return "HTTP/1.1 %d x\r\n%sContent-Length: %d\r\n\r\n%s"
        .formatted(status, headers, length, body);
  }

  private static ServerSocket bound(String address, ServerSocketFactory factory) {
    return bound(new InetSocketAddress(IpLiteral.parse(address).orElseThrow(), 0), factory);
  }

  private static ServerSocket bound(InetSocketAddress address, ServerSocketFactory factory) {
    try {
      ServerSocket server = factory.createServerSocket();
      server.bind(address, 1_000);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket socket = server.accept();
        connections.incrementAndGet();
        open.add(socket);
        Thread.ofVirtual().start(() -> run(socket));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void run(Socket socket) {
    try (socket) {
      conduct.with(socket);
    } catch (IOException theOtherSideLeft) {
      // What a test makes of that it sees on its own side.
    } finally {
      open.remove(socket);
    }
  }

  private void converse(Socket socket, Script script) throws IOException {
    InputStream in = new BufferedInputStream(socket.getInputStream());
    for (Request request = read(in); request != null; request = read(in)) {
      requests.add(request);
      socket.getOutputStream().write(script.answer(request).getBytes(StandardCharsets.UTF_8));
      socket.getOutputStream().flush();
    }
  }

  /** Reads one request; null at the end. */
  static Request read(InputStream in) throws IOException {
    String first = line(in);
    if (first.isEmpty()) {
      return null;
    }
    Map<String, String> headers = new TreeMap<>();
    for (String line = line(in); !line.isEmpty(); line = line(in)) {
      int colon = line.indexOf(':');
      headers.merge(
          line.substring(0, colon).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip(),
          (a, b) -> a + " | " + b);
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    byte[] body = in.readNBytes(length);
    String[] words = first.split(" ", 3);
    return new Request(words[0], words[1], headers, new String(body, StandardCharsets.ISO_8859_1));
  }

  private static String line(InputStream in) throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(StandardCharsets.ISO_8859_1);
  }

  String url(String path) {
    return url("127.0.0.1", path);
  }

  String url(String host, String path) {
    return scheme + "://" + host + ":" + port() + path;
  }

  int port() {
    return server.getLocalPort();
  }

  List<Request> requests() {
    return List.copyOf(requests);
  }

  Request only() {
    if (requests.size() != 1) {
      throw new AssertionError("not one request but " + requests);
    }
    return requests.getFirst();
  }

  int connections() {
    return connections.get();
  }

  @Override
  public void close() {
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
