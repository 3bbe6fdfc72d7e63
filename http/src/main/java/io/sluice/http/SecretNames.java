package io.sluice.http;

import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/**
 * Tells by its name whether the value of a header or a query parameter is a credential. Rather one too
 * many: what is taken for a secret is kept sealed and not shown, no more.
 */
public final class SecretNames {
  /** Found anywhere in a name, whatever stands between its letters. */
  private static final Set<String> PARTS = Set.of(
      "accesskey",
      "apikey",
      "authorization",
      "authentication",
      "cookie",
      "credential",
      "passphrase",
      "passwd",
      "password",
      "privatekey",
      "secret",
      "session",
      "signature",
      "token");
  /** A word of a name. */
  private static final Set<String> WORDS = Set.of("auth", "jwt", "pass", "pwd", "sig");
  /** A whole name. */
  private static final Set<String> NAMES = Set.of("key");

  private SecretNames() {}

  public static boolean contains(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    String letters = lower.replaceAll("[^a-z0-9]", "");
    return NAMES.contains(letters)
        || PARTS.stream().anyMatch(letters::contains)
        || Arrays.stream(lower.split("[^a-z0-9]+")).anyMatch(WORDS::contains);
  }
}
