package io.sluice.http;

import io.sluice.SluiceException;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 in the forms that requests are signed with, and the keys for it. */
final class Signatures {
  static final String PREFIX = "whsec_";
  /** Bytes of every signature. */
  static final int LENGTH = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int SHORTEST_KEY = 24;
  private static final int LONGEST_KEY = 64;

  private Signatures() {}

  /** The key of a Standard Webhooks secret: {@code whsec_} and the base64 of 24 to 64 bytes. */
  static byte[] standardKey(String field, String secret) {
    byte[] key = {};
    if (secret.startsWith(PREFIX)) {
      try {
        key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
      } catch (IllegalArgumentException notBase64) {
        // The message below says what is right; it must not show the secret.
        key = new byte[0];
      }
    }
    if (key.length < SHORTEST_KEY || key.length > LONGEST_KEY) {
      throw SluiceException.invalid(
          field, "must be whsec_ and the base64 of 24 to 64 random bytes");
    }
    return key;
  }

  /** The key of a secret that is taken as it is written. */
  static byte[] plainKey(String field, String secret) {
    requireSecret(field, secret);
    return secret.getBytes(StandardCharsets.UTF_8);
  }

  static void requireSecret(String field, String secret) {
    if (secret.isBlank()) {
      throw SluiceException.invalid(field, "must not be empty");
    }
  }

  static byte[] hmac(byte[] key, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }

  static byte[] standard(byte[] key, String id, String timestamp, byte[] body) {
    byte[] head = (id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8);
    return hmac(key, head, body);
  }

  static byte[] wstash(byte[] key, String method, String url, byte[] body) {
    byte[] head = (method + url).getBytes(StandardCharsets.UTF_8);
    return hmac(key, head, body);
  }

  static String hex(String secret, byte[] body) {
    return HexFormat.of().formatHex(hmac(plainKey("secret", secret), body));
  }

  static String base64(byte[] signature) {
    return Base64.getEncoder().encodeToString(signature);
  }
}
