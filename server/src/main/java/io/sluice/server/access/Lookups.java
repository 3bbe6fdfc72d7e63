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
 * when it is older than three. That something is not there is remembered for a few seconds where it is
 * known that nothing comes to be under such a key, and apart from what is there: strangers who ask for
 * what is not there crowd out nothing.
 */
public final class Lookups<K, V> {
  private static final long FRESH = Duration.ofSeconds(1).toNanos();
  private static final long OLDEST = Duration.ofSeconds(3).toNanos();
  private static final long ABSENT = Duration.ofSeconds(5).toNanos();
  private static final int MOST = 10_000;

  private record Seen<V>(V value, long at, AtomicBoolean beingRenewed) {}

  private final LongSupplier nanoTime;
  private final boolean remembersAbsence;
  private final Map<K, Seen<V>> seen = new LinkedHashMap<>();
  /** Until when a key is taken to lead nowhere; the one that was asked for first comes first. */
  private final Map<K, Long> absentUntil = new LinkedHashMap<>();

  private volatile int clears;

  public Lookups(LongSupplier nanoTime) {
    this(nanoTime, false);
  }

  private Lookups(LongSupplier nanoTime, boolean remembersAbsence) {
    this.nanoTime = nanoTime;
    this.remembersAbsence = remembersAbsence;
  }

  /** Look-ups that remember also what is not there. */
  public static <K, V> Lookups<K, V> rememberingAbsence(LongSupplier nanoTime) {
    return new Lookups<>(nanoTime, true);
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
    if (known == null && isAbsent(key, now)) {
      return Optional.empty();
    }
    int before = clears;
    Optional<V> found = look.apply(key);
    keep(key, found, now, before);
    return found;
  }

  private synchronized @Nullable Seen<V> known(K key) {
    return seen.get(key);
  }

  private synchronized boolean isAbsent(K key, long now) {
    Long until = absentUntil.get(key);
    return until != null && until - now > 0;
  }

  private synchronized void keep(K key, Optional<V> found, long at, int before) {
    seen.remove(key);
    // What was read before a clear may be what the clear was to do away with.
    if (before == clears) {
      found.ifPresent(value -> seen.put(key, new Seen<>(value, at, new AtomicBoolean())));
    }
    if (remembersAbsence && before == clears && found.isEmpty()) {
      absentUntil.remove(key);
      absentUntil.put(key, at + ABSENT);
    }
    bound(seen);
    bound(absentUntil);
  }

  private static void bound(Map<?, ?> map) {
    if (map.size() > MOST) {
      map.remove(map.keySet().iterator().next());
    }
  }

  /** Forgets everything: the next call of each looks. */
  @SuppressWarnings("NonAtomicVolatileUpdate")
  public synchronized void clear() {
    clears++;
    seen.clear();
    absentUntil.clear();
  }
}
