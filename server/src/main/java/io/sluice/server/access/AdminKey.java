package io.sluice.server.access;

import io.sluice.Defaults;
import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** The key that the operator of this server starts it with: an admin from the first moment. */
public final class AdminKey {
  public static final int SHORTEST = 32;

  private static final Caller ADMIN = new Caller(Defaults.TENANT, Role.ADMIN, "admin-key");

  private final byte[] key;

  public AdminKey(String key) {
    if (key.length() < SHORTEST) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "admin-key must have " + SHORTEST + " or more characters, this one has " + key.length());
    }
    this.key = key.getBytes(StandardCharsets.UTF_8);
  }

  public boolean is(String token) {
    return MessageDigest.isEqual(key, token.getBytes(StandardCharsets.UTF_8));
  }

  public Caller caller() {
    return ADMIN;
  }
}
