package io.sluice.http;

import io.sluice.SluiceException;
import java.net.InetAddress;
import java.util.Optional;

/** A range of addresses: all that begin with the same bits as {@code network}. */
public record Cidr(InetAddress network, int bits) {
  private static final int MAPPED_BITS = 96;

  public Cidr {
    int most = network.getAddress().length * Byte.SIZE;
    if (bits < 0 || bits > most) {
      throw new IllegalArgumentException("bits must be 0 to " + most + ", was " + bits);
    }
  }

  /**
   * Reads {@code 10.0.0.0/8}, {@code fd00::/8} or a single address.
   *
   * @param field what to call it in an error
   */
  public static Cidr parse(String field, String text) {
    int slash = text.indexOf('/');
    String address = slash < 0 ? text : text.substring(0, slash);
    InetAddress network = IpLiteral.parse(address).orElseThrow(() -> bad(field, text));
    int most = network.getAddress().length * Byte.SIZE;
    // A mapped address was read as IPv4, so its length counts from there.
    int skipped = address.indexOf(':') >= 0 && most == 32 ? MAPPED_BITS : 0;
    int bits = slash < 0
        ? most
        : number(text.substring(slash + 1)).orElseThrow(() -> bad(field, text)) - skipped;
    if (bits < 0 || bits > most) {
      throw bad(field, text);
    }
    Cidr cidr = new Cidr(cut(network, bits), bits);
    if (!cidr.network.equals(network)) {
      throw SluiceException.invalid(
          field, "'" + text + "' has bits set beyond its length; write " + cidr);
    }
    return cidr;
  }

  /** A range that is known to be right, for tables in code. */
  static Cidr of(String text) {
    return parse("range", text);
  }

  private static Optional<Integer> number(String text) {
    return text.matches("[0-9]{1,3}") ? Optional.of(Integer.valueOf(text)) : Optional.empty();
  }

  private static SluiceException bad(String field, String text) {
    String shown = text.length() > 60 ? text.substring(0, 60) + "…" : text;
    return SluiceException.invalid(
        field,
        "must be a range of addresses such as 10.0.0.0/8 or fd00::/8, was '"
            + shown.replaceAll("\\p{Cntrl}", "?")
            + "'");
  }

  private static InetAddress cut(InetAddress address, int bits) {
    byte[] bytes = address.getAddress();
    for (int bit = bits; bit < bytes.length * Byte.SIZE; bit++) {
      bytes[bit / Byte.SIZE] &= (byte) ~(0x80 >> bit % Byte.SIZE);
    }
    return IpLiteral.ofBytes(bytes);
  }

  public boolean contains(InetAddress address) {
    byte[] mine = network.getAddress();
    byte[] other = address.getAddress();
    if (mine.length != other.length) {
      return false;
    }
    int whole = bits / Byte.SIZE;
    for (int i = 0; i < whole; i++) {
      if (mine[i] != other[i]) {
        return false;
      }
    }
    int rest = bits % Byte.SIZE;
    return rest == 0 || ((mine[whole] ^ other[whole]) & 0xff) >> (Byte.SIZE - rest) == 0;
  }

  @Override
  public String toString() {
    return network.getHostAddress() + "/" + bits;
  }
}
