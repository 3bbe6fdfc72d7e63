package io.sluice.server.listener;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;

/** The address that connections are counted by: an IPv4 address, or the /64 network of an IPv6 address. */
record ClientAddress(String text) {
  private static final int NETWORK_BYTES = 8;

  static ClientAddress of(InetAddress address) {
    if (address instanceof Inet6Address) {
      // One customer of a provider has a whole /64.
      byte[] bytes = address.getAddress();
      Arrays.fill(bytes, NETWORK_BYTES, bytes.length, (byte) 0);
      return new ClientAddress(network(bytes) + "/64");
    }
    return new ClientAddress(address.getHostAddress());
  }

  private static String network(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < NETWORK_BYTES; i += 2) {
      int group = ((bytes[i] & 0xff) << 8) | (bytes[i + 1] & 0xff);
      text.append(Integer.toHexString(group)).append(':');
    }
    return text.append(':').toString();
  }

  @Override
  public String toString() {
    return text;
  }
}
