package io.sluice.server.delivery;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The addresses and ports of the server's own database, to which no job may talk. */
public final class OwnDoors {
  private static final Logger LOG = LoggerFactory.getLogger(OwnDoors.class);
  private static final String SCHEME = "jdbc:postgresql:";
  private static final int USUAL_PORT = 5432;

  private OwnDoors() {}

  /** Every address of every host of a JDBC URL, {@code jdbc:postgresql://a:5432,b/db?...}. */
  public static Set<InetSocketAddress> of(String jdbcUrl) {
    String rest = jdbcUrl.startsWith(SCHEME) ? jdbcUrl.substring(SCHEME.length()) : jdbcUrl;
    String hosts = rest.startsWith("//") ? rest.substring(2).split("[/?]", 2)[0] : "localhost";
    Set<InetSocketAddress> doors = new HashSet<>();
    for (String host : hosts.split(",", -1)) {
      add(host.isBlank() ? "localhost" : host, doors);
    }
    return doors;
  }

  private static void add(String hostAndPort, Set<InetSocketAddress> doors) {
    int colon = hostAndPort.lastIndexOf(':');
    boolean hasPort = colon > hostAndPort.lastIndexOf(']')
        && hostAndPort.substring(colon + 1).matches("[0-9]{1,5}");
    String host = hasPort ? hostAndPort.substring(0, colon) : hostAndPort;
    int port = hasPort ? Integer.parseInt(hostAndPort.substring(colon + 1)) : USUAL_PORT;
    try {
      for (InetAddress address : InetAddress.getAllByName(host)) {
        doors.add(new InetSocketAddress(address, port));
      }
    } catch (UnknownHostException e) {
      LOG.warn("the database's host has no address now, so none is closed to jobs: {}", host);
    }
  }
}
