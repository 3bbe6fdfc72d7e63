package io.sluice.server.listener;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.WebServerConfig;
import io.helidon.webserver.http1.Http1Config;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The web server with its connections bounded in number and time. It also notices when nobody listens at the
 * port any more: the web server then goes on as if nothing had happened.
 */
public final class GuardedListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GuardedListener.class);
  private static final int BACKLOG = 4_096;

  /**
   * How many connections that were closed to make room may still hold their descriptors. A descriptor is free
   * only when the thread that reads from it has noticed. Without a bound, a flood of connections takes all
   * descriptors, and the web server stops listening when it cannot accept one.
   */
  private static final int ENDING = 32;

  private static final int CONNECT_MILLIS = 1_000;
  private static final int REFUSED_TO_BE_DEAD = 3;
  private static final Duration PROBE = Duration.ofSeconds(1);
  private static final Duration SHORTEST_SWEEP = Duration.ofMillis(10);
  private static final Duration LONGEST_SWEEP = Duration.ofMillis(500);

  private final ConnectionBounds bounds;
  private final OpenConnections connections;
  private final WebServer server;
  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
      Thread.ofPlatform().daemon(true).name("listener-watch").factory());
  private final CompletableFuture<Void> died = new CompletableFuture<>();
  private int refusals;

  /**
   * Builds it; nothing listens yet.
   *
   * @param answers the bytes with which a refused head is answered
   */
  public GuardedListener(
      ConnectionBounds bounds,
      WebServerConfig.Builder builder,
      Function<HttpRefusal, byte[]> answers) {
    this.bounds = bounds;
    this.connections = new OpenConnections(bounds, System::nanoTime);
    Http1Config http = Http1Config.builder()
        .maxPrologueLength(2 * RequestFilter.LONGEST_REQUEST_LINE)
        .maxHeadersSize(2 * RequestFilter.LARGEST_HEADERS)
        .build();
    this.server = builder
        .backlog(BACKLOG)
        .maxTcpConnections(bounds.connections() + ENDING)
        .protocolsDiscoverServices(false)
        .connectionOptions(new CountingOptions(connections))
        .addConnectionSelector(new GuardedSelector(http, connections, answers))
        .build();
  }

  /** Starts it; false when it does not listen. */
  public boolean start() {
    server.start();
    if (!server.isRunning()) {
      return false;
    }
    long sweep = Math.clamp(
        Math.min(bounds.head().toNanos(), bounds.body().toNanos()) / 10,
        SHORTEST_SWEEP.toNanos(),
        LONGEST_SWEEP.toNanos());
    repeat(connections::sweep, sweep);
    repeat(this::probe, PROBE.toNanos());
    return true;
  }

  private void repeat(Runnable duty, long nanos) {
    var unused =
        watch.scheduleWithFixedDelay(() -> carefully(duty), nanos, nanos, TimeUnit.NANOSECONDS);
  }

  private static void carefully(Runnable duty) {
    try {
      duty.run();
    } catch (RuntimeException e) {
      LOG.warn("watching the listener failed", e);
    }
  }

  /** Asks the port itself. Only a refusal counts: no answer may also mean that there is much to do. */
  private void probe() {
    if (died.isDone()) {
      return;
    }
    try (Socket socket = new Socket()) {
      socket.connect(reachable(), CONNECT_MILLIS);
      refusals = 0;
    } catch (ConnectException e) {
      if (++refusals == REFUSED_TO_BE_DEAD) {
        died.complete(null);
      }
    } catch (IOException e) {
      // No descriptor for the probe, or no time: nothing is known of the listener.
      LOG.debug("the port cannot be probed", e);
    }
  }

  private InetSocketAddress reachable() {
    InetAddress address = server.prototype().address();
    return new InetSocketAddress(
        address.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : address, server.port());
  }

  public int port() {
    return server.port();
  }

  /** How many connections are open. */
  public int connections() {
    return connections.size();
  }

  /** Completed when nobody listens any more though nobody closed it. */
  public CompletionStage<Void> died() {
    return died;
  }

  @Override
  public void close() {
    watch.shutdownNow();
    server.stop();
  }
}
