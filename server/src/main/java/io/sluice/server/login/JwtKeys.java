package io.sluice.server.login;

import io.sluice.ErrorCode;
import io.sluice.SluiceException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;

/** Where the keys come from that tokens are signed with, which decides what algorithms there can be. */
public sealed interface JwtKeys {
  Set<String> SHARED = Set.of("HS256", "HS384", "HS512");
  Set<String> PUBLISHED = Set.of(
      "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA");

  /** Refuses algorithms that these keys are not for. */
  void check(Set<String> algorithms);

  /** A secret that signs and verifies. */
  record Shared(String secret) implements JwtKeys {
    @Override
    public void check(Set<String> algorithms) {
      requireAmong(algorithms, SHARED, "jwt-secret");
      int bytes = bytes().length;
      int needed = algorithms.stream().mapToInt(Shared::bits).max().orElse(0) / 8;
      if (bytes < needed) {
        throw new SluiceException(
            ErrorCode.BAD_CONFIGURATION,
            "jwt-secret must have " + needed + " or more bytes for " + algorithms
                + ", this one has " + bytes);
      }
    }

    byte[] bytes() {
      return secret.getBytes(StandardCharsets.UTF_8);
    }

    private static int bits(String algorithm) {
      return Integer.parseInt(algorithm.substring(2));
    }

    /** Not the secret, wherever this ends up. */
    @Override
    public String toString() {
      return "Shared[***]";
    }
  }

  /** Public keys that are fetched from an address; by http only from this machine itself. */
  record Published(URI url) implements JwtKeys {
    private static final Set<String> THIS_MACHINE = Set.of("127.0.0.1", "localhost", "[::1]");

    @Override
    public void check(Set<String> algorithms) {
      requireAmong(algorithms, PUBLISHED, "jwt-jwks-url");
      boolean safe = "https".equals(url.getScheme())
          || ("http".equals(url.getScheme())
              && THIS_MACHINE.contains(String.valueOf(url.getHost())));
      if (!safe) {
        throw new SluiceException(
            ErrorCode.BAD_CONFIGURATION, "jwt-jwks-url must begin with https://, was " + url);
      }
    }
  }

  private static void requireAmong(Set<String> algorithms, Set<String> known, String setting) {
    if (algorithms.isEmpty() || !known.containsAll(algorithms)) {
      throw new SluiceException(
          ErrorCode.BAD_CONFIGURATION,
          "jwt-algorithms with " + setting + " must be some of "
              + known.stream().sorted().toList() + ", was " + algorithms);
    }
  }
}
