package io.sluice.http;

import java.net.InetAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The names that were looked up a moment ago: their addresses, for all, and for each tenant those that
 * nobody answered for. Not safe for several threads by itself.
 */
final class KnownNames {
  /** Java's own cache is behind this one and keeps addresses for another 30 s. */
  private static final long FRESH = Duration.ofSeconds(5).toNanos();

  private static final long SILENT = Duration.ofSeconds(30).toNanos();
  private static final int MOST = 10_000;

  /** A name, and the tenant that asked for it. */
  record Asked(String tenant, String host) {}

  private record Answered(List<InetAddress> addresses, long until) {}

  private final LongSupplier nanoTime;
  /** The one that was found longest ago comes first. */
  private final Map<String, Answered> answered = new LinkedHashMap<>();

  private final Map<Asked, Long> silentUntil = new LinkedHashMap<>();

  KnownNames(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  Optional<List<InetAddress>> addresses(String host) {
    return Optional.ofNullable(answered.get(host))
        .filter(answer -> answer.until - nanoTime.getAsLong() > 0)
        .map(Answered::addresses);
  }

  boolean isSilent(Asked asked) {
    Long until = silentUntil.get(asked);
    return until != null && until - nanoTime.getAsLong() > 0;
  }

  void found(Asked asked, List<InetAddress> addresses) {
    silentUntil.remove(asked);
    put(answered, asked.host, new Answered(addresses, nanoTime.getAsLong() + FRESH));
  }

  void silent(Asked asked) {
    put(silentUntil, asked, nanoTime.getAsLong() + SILENT);
  }

  private static <K, V> void put(Map<K, V> names, K name, V value) {
    names.remove(name);
    names.put(name, value);
    if (names.size() > MOST) {
      names.remove(names.keySet().iterator().next());
    }
  }
}
