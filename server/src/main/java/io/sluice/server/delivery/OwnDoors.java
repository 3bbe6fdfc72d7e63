package io.sluice.server.delivery;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The addresses and ports of the server's own database, to which no job may talk. They are looked up again
 * and again, because a failover or a move gives the host another address; those from before stay closed.
 */
public final class OwnDoors implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OwnDoors.class);
  private static final String SCHEME = "jdbc:postgresql:";
  private static final int USUAL_PORT = 5432;
  private static final Duration PAUSE = Duration.ofSeconds(10);
  /** With this many addresses, the earlier ones are forgotten. */
  private static final int MOST = 1_000;

  /** Finds the addresses of a host. */
  interface Finder {
    InetAddress[] find(String host) throws UnknownHostException;
  }

  private record HostPort(String host, int port) {}

  private final List<HostPort> hosts;
  private final Finder finder;
  /** A platform thread: looking up a name is a native call that may take long. */
  private final ScheduledExecutorService watch = Executors.newSingleThreadScheduledExecutor(
      Thread.ofPlatform().daemon(true).name("own-doors").factory());

  private volatile Set<InetSocketAddress> doors = Set.of();
  private boolean missing;

  OwnDoors(String jdbcUrl, Finder finder) {
    this.hosts = hosts(jdbcUrl);
    this.finder = finder;
    look();
  }

  /** Those of every host of a JDBC URL, {@code jdbc:postgresql://a:5432,b/db?...}, until it is closed. */
  public static OwnDoors of(String jdbcUrl) {
    OwnDoors own = new OwnDoors(jdbcUrl, InetAddress::getAllByName);
    var unused = own.watch.scheduleWithFixedDelay(
        own::look, PAUSE.toNanos(), PAUSE.toNanos(), TimeUnit.NANOSECONDS);
    return own;
  }

  /** The addresses and ports that are closed now. */
  public Set<InetSocketAddress> doors() {
    return doors;
  }

  /** Looks the hosts up again. */
  void look() {
    Set<InetSocketAddress> found = new HashSet<>();
    boolean all = true;
    for (HostPort own : hosts) {
      try {
        for (InetAddress address : finder.find(own.host)) {
          found.add(new InetSocketAddress(address, own.port));
        }
      } catch (UnknownHostException e) {
        all = false;
        // Once, and not every few seconds.
        if (!missing) {
          LOG.warn(
              "the database's host has no address now, so none of it is closed to jobs: {}",
              own.host);
        }
      }
    }
    missing = !all;
    if (doors.size() < MOST) {
      found.addAll(doors);
    }
    doors = Set.copyOf(found);
  }

  private static List<HostPort> hosts(String jdbcUrl) {
    String rest = jdbcUrl.startsWith(SCHEME) ? jdbcUrl.substring(SCHEME.length()) : jdbcUrl;
    String named = rest.startsWith("//") ? rest.substring(2).split("[/?]", 2)[0] : "localhost";
    List<HostPort> hosts = new ArrayList<>();
    for (String host : named.split(",", -1)) {
      hosts.add(host(host.isBlank() ? "localhost" : host));
    }
    return hosts;
  }

  private static HostPort host(String hostAndPort) {
    int colon = hostAndPort.lastIndexOf(':');
    boolean hasPort = colon > hostAndPort.lastIndexOf(']')
        && hostAndPort.substring(colon + 1).matches("[0-9]{1,5}");
    return hasPort
        ? new HostPort(
            hostAndPort.substring(0, colon), Integer.parseInt(hostAndPort.substring(colon + 1)))
        : new HostPort(hostAndPort, USUAL_PORT);
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
