package io.sluice.server.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What was looked up a moment ago, so that not every request asks the database. A thing is looked up
 * anew after a second, by one caller while the others still get the old answer, and never answered
 * when it is older than three. That something is not there is not remembered.
 */
public final class Lookups<K, V> {
  private static final long FRESH = Duration.ofSeconds(1).toNanos();
  private static final long OLDEST = Duration.ofSeconds(3).toNanos();
  private static final int MOST = 10_000;

  private record Seen<V>(V value, long at, AtomicBoolean beingRenewed) {}

  private final LongSupplier nanoTime;
  private final Map<K, Seen<V>> seen = new LinkedHashMap<>();
  private volatile int clears;

  public Lookups(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  public Optional<V> get(K key, Function<K, Optional<V>> look) {
    long now = nanoTime.getAsLong();
    Seen<V> known = known(key);
    if (known != null && now - known.at < OLDEST) {
      boolean old = now - known.at >= FRESH;
      if (!old || !known.beingRenewed.compareAndSet(false, true)) {
        return Optional.of(known.value);
      }
    }
    int before = clears;
    Optional<V> found = look.apply(key);
    keep(key, found, now, before);
    return found;
  }

  private synchronized @Nullable Seen<V> known(K key) {
    return seen.get(key);
  }

  private synchronized void keep(K key, Optional<V> found, long at, int before) {
    seen.remove(key);
    // What was read before a clear may be what the clear was to do away with.
    if (before == clears) {
      found.ifPresent(value -> seen.put(key, new Seen<>(value, at, new AtomicBoolean())));
    }
    if (seen.size() > MOST) {
      seen.remove(seen.keySet().iterator().next());
    }
  }

  /** Forgets everything: the next call of each looks. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public synchronized void clear() {
    clears++;
    seen.clear();
  }
}
