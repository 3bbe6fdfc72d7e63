package io.sluice.http;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Says which addresses requests may go to. Everything is refused that is not plain global unicast, so
 * that a job cannot reach into the network the server stands in; the operator opens ranges by name.
 * It judges the address that is connected to, never a name.
 */
public final class AddressGuard {
  private record Range(Cidr cidr, String what) {
    static Range of(String cidr, String what) {
      return new Range(Cidr.of(cidr), what);
    }
  }

  private static final String LOOPBACK = "a loopback address";
  private static final String PRIVATE = "a private address";

  /** The special-purpose registry of IANA for IPv4, and one address that a cloud uses for itself. */
  private static final List<Range> V4 = List.of(
      Range.of("0.0.0.0/8", "an address of \"this network\""),
      Range.of("10.0.0.0/8", PRIVATE),
      Range.of("100.64.0.0/10", "an address shared behind carrier NAT"),
      Range.of("127.0.0.0/8", LOOPBACK),
      Range.of("168.63.129.16/32", "a cloud's own service address"),
      Range.of("169.254.0.0/16", "a link-local address"),
      Range.of("172.16.0.0/12", PRIVATE),
      Range.of("192.0.0.0/24", "an address for protocol assignments"),
      Range.of("192.0.2.0/24", "a documentation address"),
      Range.of("192.31.196.0/24", "an address of the AS112 service"),
      Range.of("192.52.193.0/24", "a multicast tunnel address"),
      Range.of("192.88.99.0/24", "a 6to4 relay address"),
      Range.of("192.168.0.0/16", PRIVATE),
      Range.of("192.175.48.0/24", "an address of the AS112 service"),
      Range.of("198.18.0.0/15", "a benchmarking address"),
      Range.of("198.51.100.0/24", "a documentation address"),
      Range.of("203.0.113.0/24", "a documentation address"),
      Range.of("224.0.0.0/4", "a multicast address"),
      Range.of("255.255.255.255/32", "the broadcast address"),
      Range.of("240.0.0.0/4", "a reserved address"));

  /** Ranges of IPv6 with a name of their own; what is left is judged by {@link #V6_GLOBAL}. */
  private static final List<Range> V6 = List.of(
      Range.of("::/128", "the unspecified address"),
      Range.of("::1/128", LOOPBACK),
      Range.of("::/96", "an IPv4-compatible address"),
      Range.of("64:ff9b:1::/48", "an address of a local NAT64"),
      Range.of("100::/64", "a discard address"),
      Range.of("2001::/32", "a Teredo address"),
      Range.of("2001::/23", "an address for protocol assignments"),
      Range.of("2001:db8::/32", "a documentation address"),
      Range.of("2002::/16", "a 6to4 address"),
      Range.of("2620:4f:8000::/48", "an address of the AS112 service"),
      Range.of("3fff::/20", "a documentation address"),
      Range.of("fc00::/7", PRIVATE),
      Range.of("fe80::/10", "a link-local address"),
      Range.of("fec0::/10", "a site-local address"),
      Range.of("ff00::/8", "a multicast address"));

  private static final Cidr V6_GLOBAL = Cidr.of("2000::/3");
  private static final Cidr NAT64 = Cidr.of("64:ff9b::/96");

  private final List<Cidr> allowed;
  private final Supplier<Set<InetSocketAddress>> closed;

  /** A guard that lets requests go to global unicast addresses and to these ranges. */
  public AddressGuard(List<Cidr> allowed) {
    this(allowed, Set.of());
  }

  /**
   * A guard that keeps some doors shut even inside an opened range.
   *
   * @param closed the server's own parts, such as its database: address and port
   */
  public AddressGuard(List<Cidr> allowed, Set<InetSocketAddress> closed) {
    this(allowed, () -> closed);
  }

  /**
   * The same, where the addresses of those doors may change.
   *
   * @param closed asked for each connection, so it must not take long
   */
  public AddressGuard(List<Cidr> allowed, Supplier<Set<InetSocketAddress>> closed) {
    this.allowed = List.copyOf(allowed);
    this.closed = closed;
  }

  /** Why no request may go to this address, in words that follow "is"; empty when it may. */
  public Optional<String> refusal(InetAddress address) {
    return opens(address) ? Optional.empty() : judged(address);
  }

  /**
   * What an operator would open to let requests go to this address: loopback as a whole, of a private
   * network the one address. Empty for all others, which nobody should open in passing.
   */
  static Optional<String> opening(InetAddress address) {
    String shown = address.getHostAddress();
    return judged(address).flatMap(what -> switch (what) {
      case LOOPBACK -> Optional.of(address instanceof Inet4Address ? "127.0.0.0/8" : "::1/128");
      case PRIVATE -> Optional.of(shown + (address instanceof Inet4Address ? "/32" : "/128"));
      default -> Optional.<String>empty();
    });
  }

  /** As {@link #refusal(InetAddress)}, for an address and port that a connection is made to. */
  Optional<String> refusal(InetAddress address, int port) {
    boolean shut = closed.get().stream()
        .anyMatch(door -> door.getPort() == port && isSame(door.getAddress(), address));
    return shut ? Optional.of("one of the server's own") : refusal(address);
  }

  private static boolean isSame(InetAddress door, InetAddress address) {
    return door.equals(address) || (door.isLoopbackAddress() && address.isLoopbackAddress());
  }

  /** True for an address inside a range that the operator opened. */
  boolean opens(InetAddress address) {
    return !isZoned(address) && allowed.stream().anyMatch(range -> range.contains(address));
  }

  /** True when loopback was opened, so that {@code localhost} means something allowed. */
  boolean opensLoopback() {
    return opens(IpLiteral.ofBytes(new byte[] {127, 0, 0, 1}))
        || opens(IpLiteral.parse("::1").orElseThrow());
  }

  /** The ranges that the operator opened. */
  List<Cidr> opened() {
    return allowed;
  }

  boolean opensAnything() {
    return !allowed.isEmpty();
  }

  private static boolean isZoned(InetAddress address) {
    return address instanceof Inet6Address v6
        && (v6.getScopeId() != 0 || v6.getScopedInterface() != null);
  }

  private static Optional<String> judged(InetAddress address) {
    if (isZoned(address)) {
      return Optional.of("an address with a zone");
    }
    return switch (address) {
      case Inet4Address v4 -> listed(V4, v4);
      case Inet6Address v6 -> judgedV6(v6);
      default -> Optional.of("of an unknown kind");
    };
  }

  private static Optional<String> judgedV6(Inet6Address address) {
    byte[] bytes = address.getAddress();
    if (NAT64.contains(address)) {
      return embedded(bytes, 12).map(what -> "a NAT64 address around " + what);
    }
    Optional<String> listed = listed(V6, address);
    if (listed.isPresent()) {
      return listed;
    }
    if (!V6_GLOBAL.contains(address)) {
      return Optional.of("not a global unicast address");
    }
    return isIsatap(bytes)
        ? embedded(bytes, 12).map(what -> "a tunnel address around " + what)
        : Optional.empty();
  }

  private static Optional<String> embedded(byte[] bytes, int from) {
    return listed(V4, IpLiteral.ofBytes(Arrays.copyOfRange(bytes, from, from + 4)));
  }

  /** True for an interface id that carries an IPv4 address to tunnel to (RFC 5214). */
  private static boolean isIsatap(byte[] bytes) {
    return (bytes[8] & ~2) == 0 && bytes[9] == 0 && bytes[10] == 0x5e && bytes[11] == (byte) 0xfe;
  }

  private static Optional<String> listed(List<Range> ranges, InetAddress address) {
    return ranges.stream()
        .filter(range -> range.cidr.contains(address))
        .map(Range::what)
        .findFirst();
  }
}
