package io.sluice.server.seal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Makes tokens that only this server can make: text under a mark that is bound to a purpose, for
 * example a kind of list and the tenant it is about. For another purpose, or changed in a single
 * letter, a token is worth nothing. What is inside can be read, so it must be no secret.
 */
public final class Seal {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int MARK = 16;
  private static final int LONGEST = 1_000;
  /** Every token begins with it, because a word that begins with a dash is an option on a command line. */
  private static final String PREFIX = "t";

  private final SecretKeySpec key;

  public Seal(byte[] key) {
    this.key = new SecretKeySpec(key, ALGORITHM);
  }

  public String seal(String purpose, String text) {
    byte[] content = text.getBytes(StandardCharsets.UTF_8);
    byte[] token = ByteBuffer.allocate(MARK + content.length)
        .put(mark(purpose, content))
        .put(content)
        .array();
    return spell(token);
  }

  /** The text inside, unless the token is not one of ours for this purpose. */
  public Optional<String> open(String purpose, String token) {
    byte[] bytes = bytes(token);
    if (bytes.length < MARK) {
      return Optional.empty();
    }
    byte[] content = Arrays.copyOfRange(bytes, MARK, bytes.length);
    boolean ours = MessageDigest.isEqual(mark(purpose, content), Arrays.copyOf(bytes, MARK));
    return ours ? Optional.of(new String(content, StandardCharsets.UTF_8)) : Optional.empty();
  }

  private static String spell(byte[] bytes) {
    return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static byte[] bytes(String token) {
    if (token.length() > LONGEST || !token.startsWith(PREFIX)) {
      return new byte[0];
    }
    try {
      byte[] bytes = Base64.getUrlDecoder().decode(token.substring(PREFIX.length()));
      // Other spellings of the same bytes, with padding or stray bits at the end, are not what we
      // made.
      return spell(bytes).equals(token) ? bytes : new byte[0];
    } catch (IllegalArgumentException e) {
      return new byte[0];
    }
  }

  private byte[] mark(String purpose, byte[] content) {
    byte[] name = purpose.getBytes(StandardCharsets.UTF_8);
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      // The length keeps what belongs to the purpose and what to the content apart.
      mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).array());
      mac.update(name);
      return Arrays.copyOf(mac.doFinal(content), MARK);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java runtime has " + ALGORITHM, e);
    }
  }
}
