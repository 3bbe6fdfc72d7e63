package io.sluice.http;

import io.sluice.SluiceException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a group proves to its receivers who calls. None of these show their secrets when they are
 * printed.
 */
public sealed interface Auth {
  /** Nothing is proved. */
  record None() implements Auth {}

  /** User name and password, in {@code authorization}. */
  record Basic(String username, String password) implements Auth {
    @Override
    public String toString() {
      return "Basic[" + username + ", ***]";
    }

    String encoded() {
      byte[] both = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
      return Base64.getEncoder().encodeToString(both);
    }
  }

  /** A token, in {@code authorization}. */
  record Bearer(String token) implements Auth {
    @Override
    public String toString() {
      return "Bearer[***]";
    }
  }

  /** A header of its own, such as {@code x-api-key}. */
  record Header(String name, String value) implements Auth {
    @Override
    public String toString() {
      return "Header[" + name + ", ***]";
    }
  }

  /** The HMAC-SHA256 of the body under the secret's UTF-8 bytes, in hex, in a header of its own. */
  record Hmac(String header, String secret) implements Auth {
    @Override
    public String toString() {
      return "Hmac[" + header + ", ***]";
    }
  }

  /**
   * Client credentials of OAuth 2 (RFC 6749, 4.4): a token endpoint gives a token for them, and requests
   * carry that as {@link Bearer}. {@link Tokens} gets it before a request is made out.
   */
  record OAuth2(
      String tokenUrl,
      String clientId,
      String clientSecret,
      @Nullable String scope) implements Auth {
    private static final int LONGEST = 2_000;

    @Override
    public String toString() {
      return "OAuth2[" + tokenUrl.split("\\?", 2)[0] + ", " + clientId + ", ***]";
    }

    private void checkTexts() {
      requireText("auth.clientId", clientId);
      requireText("auth.clientSecret", clientSecret);
      if (scope != null) {
        requireText("auth.scope", scope);
      }
    }

    private static void requireText(String field, String text) {
      if (text.isBlank() || text.length() > LONGEST || text.chars().anyMatch(c -> c < ' ')) {
        throw SluiceException.invalid(
            field, "must be 1 to " + LONGEST + " characters without line breaks");
      }
    }

    /** The place of the token endpoint: a secret goes there, so it is https, or in an opened range. */
    TargetUrl place(AddressGuard guard) throws RefusedTarget {
      TargetUrl url = TargetUrl.parse(tokenUrl, guard);
      if (!url.isSecure() && !isOpened(url, guard)) {
        throw RefusedTarget.invalid(
            "must begin with https://, because the client secret is sent there");
      }
      return url;
    }

    private static boolean isOpened(TargetUrl url, AddressGuard guard) {
      InetAddress literal = url.literal();
      return literal == null ? guard.opensAnything() : guard.opens(literal);
    }
  }

  /** As {@link #check()}, and refuses places that this guard closes. */
  default void check(AddressGuard guard) {
    check();
    if (this instanceof OAuth2 oauth2) {
      try {
        oauth2.place(guard);
      } catch (RefusedTarget e) {
        throw e.ofField("auth.tokenUrl");
      }
    }
  }

  /** Refuses what cannot be sent. */
  default void check() {
    switch (this) {
      case None none -> {}
      case Basic basic -> {
        HeaderRules.checkValue("auth.username", "authorization", basic.encoded());
        if (basic.username.indexOf(':') >= 0) {
          throw SluiceException.invalid("auth.username", "must not contain a colon");
        }
      }
      case Bearer bearer -> {
        if (bearer.token.isBlank()) {
          throw SluiceException.invalid("auth.token", "must not be empty");
        }
        HeaderRules.checkValue("auth.token", "authorization", bearer.token);
      }
      case Header header -> {
        HeaderRules.checkName("auth.name", header.name);
        HeaderRules.checkValue("auth.value", header.name, header.value);
      }
      case Hmac hmac -> {
        HeaderRules.checkName("auth.header", hmac.header);
        Signatures.requireSecret("auth.secret", hmac.secret);
      }
      case OAuth2 oauth2 -> oauth2.checkTexts();
    }
  }

  /** The headers that prove it for a request with this body. */
  default Map<String, String> headers(byte[] body) {
    return switch (this) {
      case None none -> Map.of();
      case Basic basic -> Map.of("authorization", "Basic " + basic.encoded());
      case Bearer bearer -> Map.of("authorization", "Bearer " + bearer.token);
      case Header header -> Map.of(header.name, header.value);
      case Hmac hmac -> Map.of(hmac.header, Signatures.hex(hmac.secret, body));
      case OAuth2 oauth2 ->
        throw new IllegalStateException("a request is made out with a token, not with " + oauth2);
    };
  }

  /** What must never be seen in a result, an error or a log, although a receiver may echo it. */
  default List<String> secrets() {
    return switch (this) {
      case None none -> List.of();
      case Basic basic -> List.of(basic.encoded(), basic.password);
      case Bearer bearer -> List.of(bearer.token);
      case Header header -> List.of(header.value);
      case Hmac hmac -> List.of(hmac.secret);
      case OAuth2 oauth2 -> List.of(oauth2.clientSecret);
    };
  }
}
