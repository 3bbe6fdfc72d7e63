package io.sluice.server.listener;

import io.sluice.server.listener.ClientConnection.Ends;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Every open connection, by client address. Where there is no room for one more, the connection that has
 * kept the server waiting longest makes room, of the address that has most: so one that opens thousands takes
 * room from itself only, and a client with a few connections is always let in.
 */
final class OpenConnections {
  private static final Logger LOG = LoggerFactory.getLogger(OpenConnections.class);
  private static final long LOG_EVERY = 10_000_000_000L;

  private final ConnectionBounds bounds;
  private final LongSupplier nanoTime;
  private final Map<Ends, ClientConnection> open = new HashMap<>();
  private final Map<ClientAddress, Set<ClientConnection>> byAddress = new HashMap<>();
  private long turnedAway;
  private long logged;

  OpenConnections(ConnectionBounds bounds, LongSupplier nanoTime) {
    this.bounds = bounds;
    this.nanoTime = nanoTime;
    this.logged = nanoTime.getAsLong() - LOG_EVERY;
  }

  /** There is no room for this connection. */
  static final class Full extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Full() {
      super("no room for another connection", null, false, false);
    }
  }

  /** Counts a new connection, or throws {@link Full}. */
  void admit(SocketChannel channel) throws IOException {
    if (!(channel.getRemoteAddress() instanceof InetSocketAddress remote)) {
      return;
    }
    InetAddress address = remote.getAddress();
    ClientConnection connection = new ClientConnection(
        new Ends(remote, channel.getLocalAddress()), ClientAddress.of(address), channel, nanoTime);
    Optional<ClientConnection> victim = add(connection);
    victim.ifPresent(ClientConnection::close);
  }

  /** The connection that had to make room, if any. */
  private synchronized Optional<ClientConnection> add(ClientConnection connection) {
    // One with the same ends is closed, or the system would not have made this one.
    remove(open.get(connection.ends));
    Set<ClientConnection> own = byAddress.getOrDefault(connection.address, Set.of());
    Optional<ClientConnection> victim = Optional.empty();
    if (own.size() >= bounds.perAddress()) {
      victim = Optional.of(longestWaiting(own));
    } else if (open.size() >= bounds.connections()) {
      Set<ClientConnection> largest = largest();
      victim = Optional.of(longestWaiting(largest.size() > own.size() ? largest : own));
    }
    victim.ifPresent(this::turnAway);
    open.put(connection.ends, connection);
    byAddress.computeIfAbsent(connection.address, a -> new LinkedHashSet<>()).add(connection);
    return victim;
  }

  private Set<ClientConnection> largest() {
    return byAddress.values().stream().max(Comparator.comparingInt(Set::size)).orElse(Set.of());
  }

  private ClientConnection longestWaiting(Set<ClientConnection> connections) {
    long now = nanoTime.getAsLong();
    return connections.stream()
        .filter(connection -> connection.doing().stage().waits())
        .max(Comparator.comparingLong(connection -> now - connection.doing().since()))
        .orElseThrow(() -> {
          turnedAway++;
          return new Full();
        });
  }

  private void turnAway(ClientConnection connection) {
    turnedAway++;
    remove(connection);
  }

  /** The connection between these ends, unless it had to make room meanwhile. */
  synchronized Optional<ClientConnection> find(Ends ends) {
    return Optional.ofNullable(open.get(ends));
  }

  synchronized void remove(@Nullable ClientConnection connection) {
    if (connection == null || !open.remove(connection.ends, connection)) {
      return;
    }
    Set<ClientConnection> own = byAddress.get(connection.address);
    if (own != null && own.remove(connection) && own.isEmpty()) {
      byAddress.remove(connection.address);
    }
  }

  synchronized int size() {
    return open.size();
  }

  /** Ends what takes too long, and forgets what is closed. */
  void sweep() {
    for (ClientConnection connection : all()) {
      if (connection.isOpen()) {
        connection.endWhenLate(bounds);
      }
      if (!connection.isOpen()) {
        remove(connection);
      }
    }
    report();
  }

  private synchronized List<ClientConnection> all() {
    return List.copyOf(open.values());
  }

  private synchronized void report() {
    long now = nanoTime.getAsLong();
    if (turnedAway == 0 || now - logged < LOG_EVERY) {
      return;
    }
    Set<ClientConnection> largest = largest();
    LOG.warn(
        "{} connections were closed to make room: {} are open of at most {}, {} of one address of at most {}",
        turnedAway,
        open.size(),
        bounds.connections(),
        largest.size(),
        bounds.perAddress());
    turnedAway = 0;
    logged = now;
  }
}
