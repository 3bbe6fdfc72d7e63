package io.sluice.http;

import io.sluice.SluiceException;
import java.net.IDN;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A URL that a request can be made to, taken apart. It was checked as far as that can be done without
 * asking a name server; the address is judged again when the connection is made.
 *
 * @param host in lower case and ASCII, without brackets
 * @param literal the address, where the host is one
 * @param port the port to connect to, also where the URL names none
 * @param target path and query as they are sent; a fragment is not
 */
public record TargetUrl(
    String scheme, String host, @Nullable InetAddress literal, int port, String target) {
  private static final int LONGEST = 8192;
  private static final Pattern FORM = Pattern.compile("(?i)(https?)://([^/?#]*)([^#]*)(#.*)?");
  private static final Pattern AUTHORITY =
      Pattern.compile("(\\[[^\\[\\]]*]|[^:\\[\\]]*)(:([0-9]*))?");
  private static final String PLAIN = "-._~!$&'()*+,;=:@/";
  private static final Pattern NAME = Pattern.compile(
      "[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*");
  private static final int LONGEST_NAME = 253;

  /** Last labels of names that mean something inside a network only. */
  private static final Set<String> INSIDE =
      Set.of("local", "internal", "localdomain", "intranet", "lan", "corp", "home", "private");

  /**
   * Takes a URL apart and checks it.
   *
   * @param field what to call it in an error
   * @throws SluiceException INVALID_MESSAGE, naming the field and what is wrong
   */
  public static TargetUrl check(String field, String url, AddressGuard guard) {
    try {
      return parse(url, guard);
    } catch (RefusedTarget e) {
      throw e.ofField(field);
    }
  }

  static TargetUrl parse(String url, AddressGuard guard) throws RefusedTarget {
    checkText(url);
    Matcher form = FORM.matcher(url);
    if (!form.matches()) {
      throw RefusedTarget.invalid("must begin with http:// or https://");
    }
    String scheme = form.group(1).toLowerCase(Locale.ROOT);
    String authority = form.group(2);
    if (authority.indexOf('@') >= 0) {
      throw RefusedTarget.invalid(
          "must not carry a user name or password; send them in a header or with a URL group");
    }
    Matcher parts = AUTHORITY.matcher(authority);
    if (!parts.matches()) {
      throw RefusedTarget.invalid("must have one host, and a port after one colon if any");
    }
    String host = host(parts.group(1));
    Optional<InetAddress> literal = literal(host);
    int port = port(parts.group(3), scheme);
    checkTarget(form.group(3));
    checkHost(host, literal, guard);
    checkPort(port, host, literal, guard);
    String target = form.group(3).startsWith("/") ? form.group(3) : "/" + form.group(3);
    return new TargetUrl(
        scheme, literal.map(a -> plain(host, a)).orElse(host), literal.orElse(null), port, target);
  }

  private static void checkText(String url) throws RefusedTarget {
    if (url.isEmpty() || url.length() > LONGEST) {
      throw RefusedTarget.invalid("must be 1 to " + LONGEST + " characters");
    }
    if (url.chars().anyMatch(c -> c <= ' ' || c == 0x7f || Character.isISOControl(c))) {
      throw RefusedTarget.invalid("must not contain spaces or control characters");
    }
    if (url.indexOf('\\') >= 0) {
      throw RefusedTarget.invalid("must not contain a backslash");
    }
  }

  private static void checkTarget(String target) throws RefusedTarget {
    boolean query = false;
    for (int i = 0; i < target.length(); i++) {
      char c = target.charAt(i);
      query |= c == '?';
      boolean fits = isAlphanumeric(c)
          || PLAIN.indexOf(c) >= 0
          || (query && (c == '?' || c == '[' || c == ']'))
          || (c == '%' && isHex(target, i + 1) && isHex(target, i + 2));
      if (!fits) {
        throw RefusedTarget.invalid(
            "has a path or query with characters that must be percent-encoded");
      }
    }
  }

  private static boolean isAlphanumeric(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  }

  private static boolean isHex(String text, int at) {
    return at < text.length()
        && text.charAt(at) < 0x80
        && Character.digit(text.charAt(at), 16) >= 0;
  }

  /** The host in the one spelling that is used from here on. */
  private static String host(String written) throws RefusedTarget {
    if (written.isEmpty()) {
      throw RefusedTarget.invalid("must have a host");
    }
    if (written.startsWith("[")) {
      return written.toLowerCase(Locale.ROOT);
    }
    String host = written;
    if (written.chars().anyMatch(c -> c > 0x7f)) {
      try {
        host = IDN.toASCII(written, IDN.USE_STD3_ASCII_RULES);
      } catch (IllegalArgumentException e) {
        throw RefusedTarget.invalid("has a host that cannot be written as an internet name");
      }
    }
    host = host.toLowerCase(Locale.ROOT);
    return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
  }

  private static Optional<InetAddress> literal(String host) throws RefusedTarget {
    if (host.startsWith("[")) {
      if (host.indexOf('%') >= 0) {
        throw RefusedTarget.outOfBounds(
            "has an address with a zone, which means this machine only");
      }
      Optional<InetAddress> v6 = IpLiteral.parse(host.substring(1, host.length() - 1));
      if (v6.isEmpty() || host.indexOf(':') < 0) {
        throw RefusedTarget.invalid("has no IPv6 address between its brackets");
      }
      return v6;
    }
    Optional<InetAddress> v4 = IpLiteral.parse(host);
    if (v4.isEmpty() && IpLiteral.looksLikeV4(host)) {
      throw RefusedTarget.invalid("must write an IPv4 address as four decimal numbers");
    }
    return v4;
  }

  /** An address as it is written, but for the one that hides an IPv4 address. */
  private static String plain(String host, InetAddress literal) {
    return literal instanceof Inet6Address
        ? host.substring(1, host.length() - 1)
        : literal.getHostAddress();
  }

  private static int port(@Nullable String digits, String scheme) throws RefusedTarget {
    if (digits == null) {
      return scheme.equals("https") ? 443 : 80;
    }
    int port = digits.matches("[0-9]{1,5}") ? Integer.parseInt(digits) : 0;
    if (port < 1 || port > 65535) {
      throw RefusedTarget.invalid("must have a port of 1 to 65535, or none");
    }
    return port;
  }

  private static void checkHost(String host, Optional<InetAddress> literal, AddressGuard guard)
      throws RefusedTarget {
    if (literal.isPresent()) {
      Optional<String> refusal = guard.refusal(literal.get());
      if (refusal.isPresent()) {
        String reason = "has a host that is " + refusal.get();
        Optional<String> range = AddressGuard.opening(literal.get());
        throw range.isPresent()
            ? RefusedTarget.inside(reason, range.get())
            : RefusedTarget.outOfBounds(reason);
      }
      return;
    }
    if (host.length() > LONGEST_NAME || !NAME.matcher(host).matches()) {
      throw RefusedTarget.invalid("has a host that is not an internet name");
    }
    if (isLocalhost(host)) {
      if (!guard.opensLoopback()) {
        throw RefusedTarget.inside("has a host that means this machine", "127.0.0.0/8");
      }
      return;
    }
    // Where a range was opened such a name may lead into it: the address decides, at the
    // connection.
    if (isInside(host) && !guard.opensAnything()) {
      throw RefusedTarget.inside(
          "has a host that means something in the server's own network", "RANGE");
    }
  }

  private static boolean isLocalhost(String host) {
    return host.equals("localhost") || host.endsWith(".localhost");
  }

  private static boolean isInside(String host) {
    String last = host.substring(host.lastIndexOf('.') + 1);
    return last.equals(host) || INSIDE.contains(last) || host.endsWith(".home.arpa");
  }

  /** Whoever opens an address opens its ports; of other places only the usual ones are open. */
  private static void checkPort(
      int port, String host, Optional<InetAddress> literal, AddressGuard guard)
      throws RefusedTarget {
    boolean opened = literal.map(guard::opens).orElse(isLocalhost(host));
    if (!opened && !Ports.isOpen(port)) {
      throw RefusedTarget.outOfBounds("has port " + port
          + ", to which no requests are made; 80, 443 and most from 1024 are open");
    }
  }

  /** The place that a redirect leads to, checked like any other. */
  TargetUrl follow(String location, AddressGuard guard) throws RefusedTarget {
    if (location.startsWith("?")) {
      return parse(origin() + path() + location, guard);
    }
    if (FORM.matcher(location).matches()) {
      return parse(location, guard);
    }
    checkText(location);
    try {
      return parse(URI.create(text()).resolve(location).toString(), guard);
    } catch (IllegalArgumentException e) {
      throw RefusedTarget.invalid("is not a URL");
    }
  }

  boolean isSecure() {
    return scheme.equals("https");
  }

  /** Host and port as they stand in a URL and in the Host header. */
  String authority() {
    String name = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
    boolean usual = port == (isSecure() ? 443 : 80);
    return usual ? name : name + ":" + port;
  }

  /** Scheme, host and port: credentials for one origin are not for another. */
  public String origin() {
    return scheme + "://" + authority();
  }

  String path() {
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  /** The URL as it is requested, and as it is signed. */
  public String text() {
    return origin() + target;
  }

  /** The URL without its query, which may hold secrets: for messages and logs. */
  @Override
  public String toString() {
    return origin() + path();
  }
}
