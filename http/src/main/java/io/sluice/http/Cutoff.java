package io.sluice.http;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The end of an exchange's time, over all that is done in it. When it comes, the socket in use is
 * closed under whoever reads, writes, connects or shakes hands on it.
 */
final class Cutoff implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Cutoff.class);

  /** What an exchange is busy with. */
  enum Phase {
    DNS,
    CONNECT,
    TLS,
    RESPONSE
  }

  private final LongSupplier nanoTime;
  private final long endsAt;
  private final ScheduledFuture<?> alarm;
  private @Nullable Socket socket;
  private boolean over;
  private volatile Phase phase = Phase.DNS;

  Cutoff(ScheduledExecutorService alarms, LongSupplier nanoTime, Duration within) {
    this.nanoTime = nanoTime;
    this.endsAt = nanoTime.getAsLong() + within.toNanos();
    this.alarm = alarms.schedule(this::cut, within.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** What is left of the time; zero when it is up. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, endsAt - nanoTime.getAsLong()));
  }

  Phase phase() {
    return phase;
  }

  void enter(Phase next) throws SocketTimeoutException {
    phase = next;
    if (isOver()) {
      throw new SocketTimeoutException("out of time");
    }
  }

  /** Makes this the socket that is closed when time is up. */
  synchronized void use(Socket next) throws SocketTimeoutException {
    if (over) {
      abort(next);
      throw new SocketTimeoutException("out of time");
    }
    socket = next;
  }

  /** Lets go of the socket; false when it was closed meanwhile. */
  synchronized boolean letGo() {
    socket = null;
    return !over;
  }

  synchronized boolean isOver() {
    return over;
  }

  private synchronized void cut() {
    over = true;
    if (socket != null) {
      abort(socket);
    }
  }

  /** Closes a socket with a reset, so that neither side lingers over what is still on its way. */
  static void abort(Socket socket) {
    try (socket) {
      if (!socket.isClosed()) {
        socket.setSoLinger(true, 0);
      }
    } catch (IOException e) {
      LOG.debug("a socket that was given up: {}", e.toString());
    }
  }

  @Override
  public void close() {
    alarm.cancel(false);
  }
}
