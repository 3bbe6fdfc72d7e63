package io.sluice.server.backup;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The checksum of one table's text. */
final class Hashing {
  private final MessageDigest digest;

  Hashing() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  MessageDigest digest() {
    return digest;
  }

  String text() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
