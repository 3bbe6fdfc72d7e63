package io.sluice.server.login;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** The credentials that were good within the last minutes, by their hashes; the 10,000 used last. */
final class GoodCredentials {
  private static final long RECENT = Duration.ofMinutes(5).toNanos();
  private static final int MOST = 10_000;

  private final LongSupplier nanoTime;
  /** When each was last good; the one that was used longest ago comes first. */
  private final Map<String, Long> goodAt = new LinkedHashMap<>();

  GoodCredentials(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  synchronized boolean isRecent(String hash) {
    Long at = goodAt.get(hash);
    return at != null && nanoTime.getAsLong() - at < RECENT;
  }

  synchronized void good(String hash) {
    goodAt.remove(hash);
    goodAt.put(hash, nanoTime.getAsLong());
    if (goodAt.size() > MOST) {
      goodAt.remove(goodAt.keySet().iterator().next());
    }
  }

  synchronized void bad(String hash) {
    goodAt.remove(hash);
  }

  static String hash(String credential) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(credential.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("this Java platform has no SHA-256", e);
    }
  }
}
