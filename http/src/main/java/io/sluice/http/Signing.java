package io.sluice.http;

import io.sluice.SluiceException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How a group signs its requests. While a secret is replaced two of them live, the newer one first, and
 * every request carries the signature of both, so that receivers may change over in their own time.
 */
public record Signing(Scheme scheme, List<String> secrets) {
  /** The forms that a signature can have. */
  public enum Scheme {
    /** The headers of Standard Webhooks: id, time and body are signed. */
    STANDARD_WEBHOOKS,
    /** One header {@code sluice-signature}: method, URL and body are signed, joined as they are. */
    WSTASH
  }

  public Signing {
    secrets = List.copyOf(secrets);
    if (secrets.isEmpty() || secrets.size() > 2) {
      throw SluiceException.invalid(
          "signing.secrets", "must be one, or two while one is replaced; were " + secrets.size());
    }
    for (String secret : secrets) {
      key(scheme, secret);
    }
  }

  /** A secret for a new signature, good for both schemes. */
  public static String newSecret(SecureRandom random) {
    byte[] bytes = new byte[32];
    random.nextBytes(bytes);
    return Signatures.PREFIX + Signatures.base64(bytes);
  }

  /** The same with a new secret, beside which the newest one so far lives on. */
  public Signing rotated(String newest) {
    return new Signing(scheme, List.of(newest, secrets.getFirst()));
  }

  private static byte[] key(Scheme scheme, String secret) {
    return switch (scheme) {
      case STANDARD_WEBHOOKS -> Signatures.standardKey("signing.secrets", secret);
      case WSTASH -> Signatures.plainKey("signing.secrets", secret);
    };
  }

  /** The headers of a request that is signed at this second. */
  Map<String, String> headers(String id, long second, TargetUrl url, String method, byte[] body) {
    Map<String, String> headers = new LinkedHashMap<>();
    switch (scheme) {
      case STANDARD_WEBHOOKS -> {
        String timestamp = Long.toString(second);
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", timestamp);
        headers.put(
            "webhook-signature",
            secrets.stream()
                .map(s -> Signatures.standard(key(scheme, s), id, timestamp, body))
                .map(signature -> "v1," + Signatures.base64(signature))
                .collect(Collectors.joining(" ")));
      }
      case WSTASH ->
        headers.put(
            "sluice-signature",
            secrets.stream()
                .map(s -> Signatures.wstash(key(scheme, s), method, url.text(), body))
                .map(Signatures::base64)
                .collect(Collectors.joining(" ")));
    }
    return headers;
  }

  @Override
  public String toString() {
    return "Signing[" + scheme + ", " + secrets.size() + " × ***]";
  }
}
