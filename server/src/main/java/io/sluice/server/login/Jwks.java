package io.sluice.server.login;

import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys that an issuer publishes, fetched when one is wanted and kept. They are fetched anew every
 * ten minutes and when an unknown one is asked for, but never more than once in a minute,
 * whatever is asked. When the issuer cannot be reached the last ones serve for a day.
 */
final class Jwks {
  private static final Logger LOG = LoggerFactory.getLogger(Jwks.class);
  private static final long FRESH = Duration.ofMinutes(10).toNanos();
  private static final long OLDEST = Duration.ofDays(1).toNanos();
  private static final long PAUSE = Duration.ofMinutes(1).toNanos();
  /** While there are no keys at all nobody can log in: worth an earlier try. */
  private static final long FIRST_PAUSE = Duration.ofSeconds(5).toNanos();

  private static final int MOST_BYTES = 256 << 10;
  private static final int MOST_KEYS = 100;
  private static final int PATIENCE_SECONDS = 10;

  private record Known(List<JWK> keys, long at) {}

  private final URI url;
  private final Fetch fetch;
  private final LongSupplier nanoTime;
  private final ReentrantLock fetching = new ReentrantLock();
  private volatile @Nullable Known known;
  private volatile @Nullable Long tried;

  Jwks(URI url, Fetch fetch, LongSupplier nanoTime) {
    this.url = url;
    this.fetch = fetch;
    this.nanoTime = nanoTime;
  }

  /** The keys that fit; fetches, where it may, when there are none or they are old. */
  List<JWK> find(Predicate<JWK> fits) {
    List<JWK> found = among(known, fits);
    if (!found.isEmpty() && !isOld(known)) {
      return found;
    }
    refresh(found.isEmpty());
    return among(known, fits);
  }

  private List<JWK> among(@Nullable Known some, Predicate<JWK> fits) {
    return some == null || nanoTime.getAsLong() - some.at > OLDEST
        ? List.of()
        : some.keys.stream().filter(fits).toList();
  }

  private boolean isOld(@Nullable Known some) {
    return some == null || nanoTime.getAsLong() - some.at > FRESH;
  }

  /** Fetches unless it is too early; who needs the keys waits for another's fetching, others do not. */
  private void refresh(boolean needed) {
    try {
      if (!fetching.tryLock(needed ? PATIENCE_SECONDS : 0, TimeUnit.SECONDS)) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return;
    }
    try {
      if (mayTry()) {
        tried = nanoTime.getAsLong();
        fetch();
      }
    } finally {
      fetching.unlock();
    }
  }

  private boolean mayTry() {
    Long last = tried;
    return last == null || nanoTime.getAsLong() - last >= (known == null ? FIRST_PAUSE : PAUSE);
  }

  private void fetch() {
    try {
      byte[] body = fetch.get(url);
      if (body.length > MOST_BYTES) {
        throw new IOException("they have more than " + MOST_BYTES + " bytes");
      }
      List<JWK> keys = JWKSet.parse(new String(body, StandardCharsets.UTF_8)).getKeys().stream()
          .limit(MOST_KEYS)
          .toList();
      known = new Known(keys, nanoTime.getAsLong());
    } catch (IOException | ParseException | RuntimeException e) {
      LOG.warn("the keys at {} could not be fetched: {}", url, String.valueOf(e.getMessage()));
    }
  }
}
