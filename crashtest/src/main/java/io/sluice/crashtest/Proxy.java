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
 * their bytes, slows them down, delivers them late, loses the answer to a statement that was carried out,
 * or lets one commit when its client has gone. Can be switched over to another server.
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

  /** Commits to be late: of statements that fit, this many more, by so much. */
  private record Lateness(Predicate<List<String>> which, AtomicInteger left, Duration delay) {
    Duration of(List<String> statements) {
      boolean taken = !statements.isEmpty()
          && which.test(statements)
          && left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
      return taken ? delay : Duration.ZERO;
    }
  }

  private static final Lateness NEVER =
      new Lateness(statements -> false, new AtomicInteger(), Duration.ZERO);
  private static final Loss NONE = new Loss(statements -> false, new AtomicInteger());

  private final ServerSocket listener;
  private volatile int target;
  private final Set<ProxiedConnection> connections = ConcurrentHashMap.newKeySet();
  private final AtomicReference<Loss> loss = new AtomicReference<>(NONE);
  private final AtomicReference<Lateness> lateness = new AtomicReference<>(NEVER);
  private final AtomicInteger lost = new AtomicInteger();
  private final AtomicInteger abandoned = new AtomicInteger();
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
    lateness.set(NEVER);
  }

  /** Leads connections to another server from now on; those that are there stay where they are. */
  public void lead(int port) {
    target = port;
  }

  /** Resets every connection there is. */
  public void cut() {
    connections.forEach(ProxiedConnection::reset);
  }

  /**
   * Cuts clients off from every connection there is, and lets the server finish what it received: a
   * statement that needs no further word commits when its client has given up.
   */
  public void abandon() {
    connections.forEach(connection -> {
      if (connection.abandon()) {
        abandoned.incrementAndGet();
      }
    });
  }

  /**
   * Delivers the next commits of transactions that fit so much later, and cuts the client of each off
   * at once. The predicate sees the statements of the transaction.
   */
  public void commitLate(Predicate<List<String>> which, int count, Duration delay) {
    lateness.set(new Lateness(which, new AtomicInteger(count), delay));
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

  /** How many statements went on so far after their client was cut off. */
  public int abandoned() {
    return abandoned.get();
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

  Duration lateness(List<String> statements) {
    Duration late = lateness.get().of(statements);
    if (!late.isZero()) {
      abandoned.incrementAndGet();
    }
    return late;
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
