package io.sluice.server.job;

import java.util.List;
import java.util.Locale;

/** Hides the values of headers that carry credentials from whoever reads a job back. */
final class Redaction {
  static final String HIDDEN = "***";

  private static final List<String> PARTS = List.of(
      "token",
      "secret",
      "password",
      "passwd",
      "credential",
      "api-key",
      "apikey",
      "api_key",
      "signature",
      "auth-key",
      "access-key",
      "session",
      "authorization",
      "cookie");

  private Redaction() {}

  static String shown(String header, String value) {
    return isSecret(header) ? HIDDEN : value;
  }

  static boolean isSecret(String header) {
    String name = header.toLowerCase(Locale.ROOT);
    return PARTS.stream().anyMatch(name::contains);
  }
}
