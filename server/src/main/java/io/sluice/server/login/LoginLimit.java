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
 * Counts failed log-ins by address: a few at once, and one more every six seconds. An address that has
 * had all of them may try one credential a second. Addresses of IPv6 count by their first 64 bits, all of
 * which one caller may have to choose from.
 */
final class LoginLimit {
  private static final long REFILL = Duration.ofSeconds(6).toNanos();
  private static final long PAUSE = Duration.ofSeconds(1).toNanos();
  private static final int MOST_ADDRESSES = 10_000;
  private static final int NETWORK_BYTES = 8;

  private final long room;
  private final LongSupplier nanoTime;
  /** The addresses that failed; the one that failed longest ago comes first. */
  private final Map<String, Failures> failures = new LinkedHashMap<>();

  /**
   * The failures of an address.
   *
   * @param madeUpAt when they will be made up for
   * @param triedAt when a credential was last let through after too many
   */
  private record Failures(long madeUpAt, long triedAt) {
    long owed(long now) {
      return Math.max(0, madeUpAt - now);
    }
  }

  LoginLimit(int most, LongSupplier nanoTime) {
    this.room = most * REFILL;
    this.nanoTime = nanoTime;
  }

  /**
   * Lets a credential be looked at that is not known to be good: any while the address is within its
   * limit, then one a second; throws RATE_LIMITED for the others.
   */
  synchronized void admit(String address) {
    String key = key(address);
    long now = nanoTime.getAsLong();
    Failures before = failures.get(key);
    if (before == null || missing(before, now) <= 0) {
      return;
    }
    long early = before.triedAt + PAUSE - now;
    if (early > 0) {
      throw tooMany(early);
    }
    failures.put(key, new Failures(before.madeUpAt, now));
  }

  /** Notes a failure; throws RATE_LIMITED when the address has had too many. */
  synchronized void failed(String address) {
    String key = key(address);
    long now = nanoTime.getAsLong();
    Failures before = failures.remove(key);
    Failures known = before == null ? new Failures(now, now - PAUSE) : before;
    long missing = missing(known, now);
    long madeUpAt = now + known.owed(now) + (missing > 0 ? 0 : REFILL);
    failures.put(key, new Failures(madeUpAt, known.triedAt));
    if (failures.size() > MOST_ADDRESSES) {
      failures.remove(failures.keySet().iterator().next());
    }
    if (missing > 0) {
      throw tooMany(missing);
    }
  }

  /** How long it takes until there is room for one more failure. */
  private long missing(Failures before, long now) {
    return before.owed(now) + REFILL - room;
  }

  private static TryLater tooMany(long nanos) {
    return new TryLater(
        ErrorCode.RATE_LIMITED,
        "too many log-ins from this address have failed",
        Duration.ofNanos(nanos));
  }

  synchronized int size() {
    return failures.size();
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
