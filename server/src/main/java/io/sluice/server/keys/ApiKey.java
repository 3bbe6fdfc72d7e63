package io.sluice.server.keys;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.zip.CRC32;

/**
 * The text of an API key: {@code sluice_<public id>_<secret><checksum>}. The public id finds it, the
 * secret has 178 random bits, and the checksum (CRC-32 of all before it) tells a mistyped or made-up
 * key from a real one without asking anybody, which is also how scanners for leaked keys know it.
 */
record ApiKey(String publicId, String text) {
  static final int SECRET = 30;

  private static final String PREFIX = "sluice_";
  private static final int PUBLIC = 12;
  private static final int CHECKSUM = 6;
  private static final String DIGITS =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final Pattern FORM =
      Pattern.compile(PREFIX + "([0-9A-Za-z]{12})_[0-9A-Za-z]{" + (SECRET + CHECKSUM) + "}");

  /** A new key, as random as the numbers it is made from. */
  static ApiKey make(RandomGenerator random) {
    return of(digits(random, PUBLIC), digits(random, SECRET));
  }

  static ApiKey of(String publicId, String secret) {
    String text = PREFIX + publicId + "_" + secret;
    return new ApiKey(publicId, text + checksum(text));
  }

  /** The key that this is the whole text of, if its form and checksum are right. */
  static Optional<ApiKey> parse(String text) {
    var form = FORM.matcher(text);
    if (!form.matches()) {
      return Optional.empty();
    }
    int end = text.length() - CHECKSUM;
    return checksum(text.substring(0, end)).equals(text.substring(end))
        ? Optional.of(new ApiKey(form.group(1), text))
        : Optional.empty();
  }

  static boolean looksLike(String text) {
    return text.startsWith(PREFIX);
  }

  /** How a person knows the key again, with no part of its secret. */
  static String prefix(String publicId) {
    return PREFIX + publicId;
  }

  String hash() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.US_ASCII)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** True when the hash is that of this key; takes as long whether it nearly is or not at all. */
  boolean matches(String hash) {
    return MessageDigest.isEqual(
        hash().getBytes(StandardCharsets.US_ASCII), hash.getBytes(StandardCharsets.US_ASCII));
  }

  /** Never the secret, wherever this ends up. */
  @Override
  public String toString() {
    return prefix(publicId);
  }

  private static String digits(RandomGenerator random, int length) {
    StringBuilder digits = new StringBuilder(length);
    for (int i = 0; i < length; i++) {
      digits.append(DIGITS.charAt(random.nextInt(DIGITS.length())));
    }
    return digits.toString();
  }

  private static String checksum(String text) {
    CRC32 crc = new CRC32();
    crc.update(text.getBytes(StandardCharsets.US_ASCII));
    char[] digits = new char[CHECKSUM];
    long left = crc.getValue();
    for (int i = CHECKSUM - 1; i >= 0; i--) {
      digits[i] = DIGITS.charAt((int) (left % DIGITS.length()));
      left /= DIGITS.length();
    }
    return new String(digits);
  }
}
