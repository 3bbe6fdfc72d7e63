package io.sluice.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections, to addresses that the guard lets through and to no others. A name is looked up
 * once and the connection is made to the address that was judged, so it does not matter what the name
 * means a moment later.
 */
final class Connector {
  private static final int MOST_ADDRESSES = 8;
  private static final Duration LONGEST_CONNECT = Duration.ofSeconds(10);
  private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};

  private final AddressGuard guard;
  private final Lookup lookup;
  private final SSLSocketFactory tls;

  Connector(AddressGuard guard, Lookup lookup, SSLSocketFactory tls) {
    this.guard = guard;
    this.lookup = lookup;
    this.tls = tls;
  }

  Link open(TargetUrl url, Party party, Cutoff cutoff)
      throws IOException, RefusedTarget, InterruptedException {
    List<InetAddress> addresses = permitted(url, party, addresses(url, party, cutoff));
    Socket socket = connect(addresses, url.port(), cutoff);
    try {
      check(url, party, socket.getInetAddress());
      return new Link(socket, url.isSecure() ? secure(socket, url, cutoff) : null);
    } catch (IOException | RefusedTarget | RuntimeException e) {
      Cutoff.abort(socket);
      throw e;
    }
  }

  private List<InetAddress> addresses(TargetUrl url, Party party, Cutoff cutoff)
      throws IOException, InterruptedException {
    InetAddress literal = url.literal();
    if (literal != null) {
      return List.of(literal);
    }
    cutoff.enter(Cutoff.Phase.DNS);
    try {
      return lookup.find(party.tenant(), url.host(), cutoff.left());
    } catch (TimeoutException e) {
      throw new SocketTimeoutException("the name was not found in time");
    }
  }

  private List<InetAddress> permitted(TargetUrl url, Party party, List<InetAddress> found)
      throws RefusedTarget {
    List<InetAddress> fit = new ArrayList<>();
    RefusedTarget refusal = RefusedTarget.outOfBounds("has a host without an address");
    for (InetAddress address : found) {
      try {
        check(url, party, address);
        fit.add(address);
      } catch (RefusedTarget e) {
        refusal = e;
      }
    }
    if (fit.isEmpty()) {
      throw refusal;
    }
    return fit.size() > MOST_ADDRESSES ? fit.subList(0, MOST_ADDRESSES) : fit;
  }

  /** Refuses an address; a name's address itself is not told, it may be a secret of the network. */
  private void check(TargetUrl url, Party party, @Nullable InetAddress address)
      throws RefusedTarget {
    if (address == null) {
      throw RefusedTarget.outOfBounds("led to an unknown address");
    }
    Optional<String> refusal = guard.refusal(address, url.port());
    if (refusal.isPresent()) {
      throw RefusedTarget.outOfBounds("has a host whose address is " + refusal.get());
    }
    List<Cidr> only = party.only();
    if (!only.isEmpty() && only.stream().noneMatch(range -> range.contains(address))) {
      throw RefusedTarget.outOfBounds(
          "has a host whose address is in none of the ranges that are allowed: those of the group's"
              + " ipAllowlist, or, for a secret by http, those that the server opens");
    }
  }

  private static Socket connect(List<InetAddress> addresses, int port, Cutoff cutoff)
      throws IOException {
    IOException failure = new IOException("no address");
    for (int i = 0; i < addresses.size(); i++) {
      cutoff.enter(Cutoff.Phase.CONNECT);
      try {
        return connect(addresses.get(i), port, share(cutoff.left(), addresses.size() - i), cutoff);
      } catch (IOException e) {
        failure = e;
        if (Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
    }
    throw failure;
  }

  /** The time for one address of several that are left, so that a silent one leaves some over. */
  private static Duration share(Duration left, int addresses) {
    Duration share = left.dividedBy(addresses);
    return share.compareTo(LONGEST_CONNECT) < 0 || addresses == 1 ? share : LONGEST_CONNECT;
  }

  private static Socket connect(InetAddress address, int port, Duration within, Cutoff cutoff)
      throws IOException {
    // Not through a proxy that the machine may be set up with: it would connect where it likes.
    Socket socket = new Socket(Proxy.NO_PROXY);
    try {
      cutoff.use(socket);
      socket.setTcpNoDelay(true);
      socket.connect(new InetSocketAddress(address, port), millis(within));
      return socket;
    } catch (IOException | RuntimeException e) {
      Cutoff.abort(socket);
      throw e;
    }
  }

  /** A time limit as a socket takes it, where zero would mean none. */
  private static int millis(Duration within) {
    return Math.clamp(within.toMillis(), 1, Integer.MAX_VALUE);
  }

  private SSLSocket secure(Socket socket, TargetUrl url, Cutoff cutoff) throws IOException {
    cutoff.enter(Cutoff.Phase.TLS);
    SSLSocket secure = (SSLSocket) tls.createSocket(socket, url.host(), url.port(), true);
    SSLParameters parameters = secure.getSSLParameters();
    parameters.setProtocols(PROTOCOLS);
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    secure.setSSLParameters(parameters);
    secure.startHandshake();
    return secure;
  }
}
