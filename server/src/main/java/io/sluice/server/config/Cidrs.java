package io.sluice.server.config;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;

/** Ranges of addresses such as {@code 10.0.0.0/8}, as far as a setting must be checked. */
final class Cidrs {
  private static final Pattern RANGE = Pattern.compile("([0-9a-fA-F:.]+)(/([0-9]{1,3}))?");

  private Cidrs() {}

  static String check(String text) {
    var match = RANGE.matcher(text);
    if (match.matches()) {
      try {
        // Only digits, dots and colons come this far: no name is looked up.
        int most = InetAddress.getByName(match.group(1)).getAddress().length * Byte.SIZE;
        if (match.group(3) == null || Integer.parseInt(match.group(3)) <= most) {
          return text;
        }
      } catch (UnknownHostException e) {
        throw wrong(text);
      }
    }
    throw wrong(text);
  }

  private static IllegalArgumentException wrong(String text) {
    return new IllegalArgumentException(
        "must be a range of addresses such as 10.0.0.0/8 or fd00::/8, was '" + text + "'");
  }
}
