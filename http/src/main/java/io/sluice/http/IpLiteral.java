package io.sluice.http;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads addresses that are written out. It never asks a name server, and it takes IPv4 addresses as
 * four decimal numbers only: the older spellings mean different addresses to different readers.
 */
final class IpLiteral {
  private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";
  private static final Pattern V4 =
      Pattern.compile(BYTE + "\\." + BYTE + "\\." + BYTE + "\\." + BYTE);
  private static final Pattern V6 = Pattern.compile("[0-9A-Fa-f:.]{2,45}");
  private static final Pattern NUMBER = Pattern.compile("(.*\\.)?([0-9]+|0[xX][0-9A-Fa-f]*)");

  private IpLiteral() {}

  /** The address; an IPv4 address inside an IPv6 one (mapped) comes out as IPv4. */
  static Optional<InetAddress> parse(String text) {
    return text.indexOf(':') < 0 ? parseV4(text) : parseV6(text);
  }

  private static Optional<InetAddress> parseV4(String text) {
    Matcher parts = V4.matcher(text);
    if (!parts.matches()) {
      return Optional.empty();
    }
    byte[] bytes = new byte[4];
    for (int i = 0; i < 4; i++) {
      bytes[i] = (byte) Integer.parseInt(parts.group(i + 1));
    }
    return Optional.of(ofBytes(bytes));
  }

  private static Optional<InetAddress> parseV6(String text) {
    if (!V6.matcher(text).matches()) {
      return Optional.empty();
    }
    try {
      // In brackets the text can only be an IPv6 address: it is never looked up as a name.
      return Optional.of(InetAddress.getByName("[" + text + "]"));
    } catch (UnknownHostException notAnAddress) {
      return Optional.empty();
    }
  }

  /** True for text that some resolver would take for an IPv4 address, however it is spelled. */
  static boolean looksLikeV4(String host) {
    return NUMBER.matcher(host).matches();
  }

  static InetAddress ofBytes(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("an address has 4 or 16 bytes, not " + bytes.length, e);
    }
  }
}
