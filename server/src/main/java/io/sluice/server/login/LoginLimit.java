package io.sluice.server.login;

import io.sluice.ErrorCode;
import io.sluice.server.access.TryLater;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Counts failed log-ins by address: so many at once, and one more every six seconds. Addresses of
 * IPv6 count by their first 64 bits, all of which one caller may have to choose from.
 */
final class LoginLimit {
  private static final long REFILL = Duration.ofSeconds(6).toNanos();
  private static final int MOST_ADDRESSES = 10_000;
  private static final int NETWORK_BYTES = 8;

  private final long room;
  private final LongSupplier nanoTime;
  /** When the failures of an address will be made up for; the one that failed longest ago comes first. */
  private final Map<String, Long> madeUpAt = new LinkedHashMap<>();

  LoginLimit(int failures, LongSupplier nanoTime) {
    this.room = failures * REFILL;
    this.nanoTime = nanoTime;
  }

  /** Notes a failure; throws RATE_LIMITED when the address has had too many. */
  synchronized void failed(String address) {
    String key = key(address);
    long now = nanoTime.getAsLong();
    Long before = madeUpAt.remove(key);
    long owed = before == null ? 0 : Math.max(0, before - now);
    long missing = owed + REFILL - room;
    madeUpAt.put(key, now + owed + (missing > 0 ? 0 : REFILL));
    if (madeUpAt.size() > MOST_ADDRESSES) {
      madeUpAt.remove(madeUpAt.keySet().iterator().next());
    }
    if (missing > 0) {
      throw new TryLater(
          ErrorCode.RATE_LIMITED,
          "too many log-ins from this address have failed",
          Duration.ofNanos(missing));
    }
  }

  synchronized int size() {
    return madeUpAt.size();
  }

  private static String key(String address) {
    if (!address.contains(":")) {
      return address;
    }
    try {
      byte[] bytes = InetAddress.getByName(address).getAddress();
      return bytes.length <= NETWORK_BYTES
          ? HexFormat.of().formatHex(bytes)
          : HexFormat.of().formatHex(Arrays.copyOf(bytes, NETWORK_BYTES));
    } catch (UnknownHostException e) {
      // No address that we know the form of is one by itself.
      return address;
    }
  }
}
