package io.sluice.crashtest;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * Stands between a client and a PostgreSQL and harms their connections on demand: cuts them, swallows
 * their bytes, slows them down, delivers them late, or loses the answer to a statement that was
 * carried out.
 */
public final class Proxy implements AutoCloseable {
  private static final int CONNECT_MILLIS = 5_000;

  /** What happens to bytes. */
  enum Mode {
    FORWARD,
    /**
     * Every connection goes silent, new ones included, and one that lost bytes stays silent for ever.
     * Neither side is told.
     */
    SWALLOW,
    /** What clients say is kept, and delivered in the end, also when they have given up meanwhile. */
    HOLD_BACK
  }

  /** Answers to lose: of statements that fit, this many more. */
  private record Loss(Predicate<List<String>> which, AtomicInteger left) {
    boolean takes(List<String> statements) {
      return which.test(statements) && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }
  }

  private static final Loss NONE = new Loss(statements -> false, new AtomicInteger());

  private final ServerSocket listener;
  private final int target;
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Loss> loss = new AtomicReference<>(NONE);
  private final AtomicInteger lost = new AtomicInteger();
  private volatile Mode mode = Mode.FORWARD;
  private volatile Duration delay = Duration.ZERO;
  private volatile Predicate<String> silenced = statement -> false;

  private Proxy(ServerSocket listener, int target) {
    this.listener = listener;
    this.target = target;
  }

  /** A proxy on a free loopback port, in front of a PostgreSQL on another. */
  public static Proxy to(int port) {
    try {
      Proxy proxy = new Proxy(new ServerSocket(0, 100, InetAddress.getLoopbackAddress()), port);
      Thread.ofPlatform().daemon().name("proxy-" + proxy.port()).start(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** A JDBC URL of the database, led through this proxy. */
  public String url(String direct) {
    return direct.replaceFirst("127\\.0\\.0\\.1:\\d+", "127.0.0.1:" + port());
  }

  // ---- harm

  /** Leaves bytes alone again. Connections that lost some stay as they are. */
  public void forward() {
    mode = Mode.FORWARD;
    delay = Duration.ZERO;
    silenced = statement -> false;
    loss.set(NONE);
  }

  /** Resets every connection there is. */
  public void cut() {
    connections.forEach(ProxiedConnection::reset);
  }

  /** Makes every connection half open: bytes vanish, in both directions, until {@link #forward}. */
  public void swallow() {
    mode = Mode.SWALLOW;
  }

  /**
   * Keeps all that clients say until {@link #forward}, and delivers it then, whether or not they still
   * wait for an answer.
   */
  public void holdBack() {
    mode = Mode.HOLD_BACK;
  }

  /** Makes connections silent as soon as they were answered a statement that fits. */
  public void swallowAfter(Predicate<String> statement) {
    silenced = statement;
  }

  /** Holds every message up for so long. */
  public void delay(Duration value) {
    delay = value;
  }

  /**
   * Loses the next answers to statements that fit, and the connection with each. The predicate sees
   * the statements of the transaction, the answered one last.
   */
  public void loseReplies(Predicate<List<String>> which, int count) {
    loss.set(new Loss(which, new AtomicInteger(count)));
  }

  /**
   * Fits what makes a statement with this text (quotes left out) durable: itself, or the commit of its
   * transaction.
   */
  public static Predicate<List<String>> commitOf(String text) {
    return statements -> {
      boolean alone = statements.size() == 1;
      boolean commit = statements.getLast().toUpperCase(Locale.ROOT).startsWith("COMMIT");
      return (alone || commit)
          && statements.stream().anyMatch(s -> s.replace("\"", "").contains(text));
    };
  }

  /** How many answers were lost so far. */
  public int lost() {
    return lost.get();
  }

  public int connections() {
    return connections.size();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    connections.forEach(ProxiedConnection::reset);
  }

  // ---- for its connections

  boolean swallows() {
    return mode == Mode.SWALLOW;
  }

  boolean holdsBack() {
    return mode == Mode.HOLD_BACK;
  }

  Duration delay() {
    return delay;
  }

  boolean silences(String statement) {
    return silenced.test(statement);
  }

  boolean loses(List<String> statements) {
    boolean taken = loss.get().takes(statements);
    if (taken) {
      lost.incrementAndGet();
    }
    return taken;
  }

  void ended(ProxiedConnection connection) {
    connections.remove(connection);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Thread.ofVirtual().start(() -> connect(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void connect(Socket client) {
    Socket server = new Socket();
    ProxiedConnection connection = new ProxiedConnection(this, client, server);
    try {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      server.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), target), CONNECT_MILLIS);
      connections.add(connection);
      connection.start();
    } catch (IOException e) {
      connection.reset();
    }
  }
}
