package io.sluice.server.rest;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client that sends bytes, whether they are HTTP or not, and reads what comes back. */
public final class RawClient implements AutoCloseable {
  private static final int PATIENCE = 60_000;
  private static final JsonMapper MAPPER = new JsonMapper();

  /** One answer; header names are in lower case. */
  public record Reply(int status, Map<String, String> headers, String body) {
    public String header(String name) {
      return headers.getOrDefault(name, "");
    }

    public JsonNode json() {
      return MAPPER.readTree(body);
    }
  }

  private final Socket socket;
  private final InputStream in;

  private RawClient(Socket socket, InputStream in) {
    this.socket = socket;
    this.in = in;
  }

  public static RawClient to(int port) {
    return from("127.0.0.1", port);
  }

  /** A client that waits so long for each piece of an answer. */
  public static RawClient to(int port, int patienceMillis) {
    return from("127.0.0.1", port, patienceMillis);
  }

  /** A client with this address, which must be one of the loopback network. */
  static RawClient from(String address, int port) {
    return from(address, port, PATIENCE);
  }

  private static RawClient from(String address, int port, int patienceMillis) {
    try {
      Socket socket = new Socket();
      socket.bind(new InetSocketAddress(address, 0));
      socket.setSoTimeout(patienceMillis);
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), patienceMillis);
      return new RawClient(socket, new BufferedInputStream(socket.getInputStream()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public RawClient send(String text) {
    return send(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  public RawClient send(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends a piece; false when the server has closed the connection. */
  public boolean trySend(byte[] bytes) {
    try {
      socket.getOutputStream().write(bytes);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Says that nothing more is sent. */
  public RawClient endOutput() {
    try {
      socket.shutdownOutput();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ends the connection with a reset. */
  public void reset() {
    try {
      socket.setSoLinger(true, 0);
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next answer, with its body. */
  public Reply reply() {
    return reply(true);
  }

  /** The next answer, which has no body whatever its length says where it is one to HEAD. */
  public Reply reply(boolean hasBody) {
    try {
      String status = line();
      Map<String, String> headers = new HashMap<>();
      for (String header = line(); !header.isEmpty(); header = line()) {
        int colon = header.indexOf(':');
        headers.put(
            header.substring(0, colon).toLowerCase(Locale.ROOT),
            header.substring(colon + 1).strip());
      }
      int length = hasBody ? Integer.parseInt(headers.getOrDefault("content-length", "0")) : 0;
      String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
      return new Reply(Integer.parseInt(status.split(" ", 3)[1]), headers, body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the connection ended after '" + line + "'");
      }
      line.append((char) c);
    }
    return line.toString().strip();
  }

  /** Reads to the end of the connection, and returns what came before it; fails where it does not end. */
  public String rest() {
    try {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (SocketTimeoutException e) {
      throw new AssertionError("the server keeps the connection open", e);
    } catch (IOException e) {
      // A reset is an end, too.
      return "";
    }
  }

  /** True when the server has ended the connection and sent nothing more; waits for the end. */
  boolean isEnded() {
    return rest().isEmpty();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
