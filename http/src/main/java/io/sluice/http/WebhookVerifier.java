package io.sluice.http;

import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * For receivers: says whether a request was signed with one of these secrets. Give it the body as it
 * came, byte for byte. It does not say what is wrong with a bad one, and takes the same time for every
 * signature of the right length. A repeated request is signed as well as its first: whoever must not
 * act twice remembers the ids it has seen.
 */
public final class WebhookVerifier {
  /** How far the clocks of sender and receiver may be apart. */
  public static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final int LONGEST_HEADER = 4096;

  private final InstantSource clock;
  private final List<String> secrets;

  /**
   * @param secrets those that are live, as the sender has them
   */
  public WebhookVerifier(InstantSource clock, List<String> secrets) {
    this.clock = clock;
    this.secrets = List.copyOf(secrets);
  }

  /**
   * True for a request in the Standard Webhooks form.
   *
   * @param id the header {@code webhook-id}, or null where there is none
   * @param timestamp the header {@code webhook-timestamp}
   * @param signature the header {@code webhook-signature}
   */
  public boolean verify(
      @Nullable String id, @Nullable String timestamp, @Nullable String signature, byte[] body) {
    if (id == null || timestamp == null || signature == null || !isTimely(timestamp)) {
      return false;
    }
    if (id.isEmpty() || id.indexOf('.') >= 0) {
      return false;
    }
    boolean good = false;
    for (String secret : secrets) {
      byte[] key = Signatures.standardKey("secret", secret);
      good |= isAmong(signature, "v1,", Signatures.standard(key, id, timestamp, body));
    }
    return good;
  }

  /**
   * True for a request in the WStash form, which has no time in it: an old one is as good as a new one.
   *
   * @param url as the sender requested it, with its query
   * @param signature the header {@code sluice-signature}
   */
  public boolean verifyWstash(String method, String url, @Nullable String signature, byte[] body) {
    boolean good = false;
    for (String secret : signature == null ? List.<String>of() : secrets) {
      byte[] key = Signatures.plainKey("secret", secret);
      good |= isAmong(signature, "", Signatures.wstash(key, method, url, body));
    }
    return good;
  }

  private boolean isTimely(String timestamp) {
    if (!timestamp.matches("[0-9]{1,11}")) {
      return false;
    }
    Instant signed = Instant.ofEpochSecond(Long.parseLong(timestamp));
    return Duration.between(signed, clock.instant()).abs().compareTo(TOLERANCE) <= 0;
  }

  private static boolean isAmong(@Nullable String header, String prefix, byte[] expected) {
    if (header == null || header.length() > LONGEST_HEADER) {
      return false;
    }
    boolean found = false;
    for (String one : header.split(" ", -1)) {
      if (one.startsWith(prefix)) {
        byte[] given = decoded(one.substring(prefix.length())).orElse(new byte[0]);
        found |= given.length == Signatures.LENGTH && MessageDigest.isEqual(given, expected);
      }
    }
    return found;
  }

  private static Optional<byte[]> decoded(String base64) {
    try {
      return Optional.of(Base64.getDecoder().decode(base64));
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }
}
