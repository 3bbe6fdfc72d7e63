package io.sluice.server.urlgroup;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.sluice.http.Auth;
import io.sluice.server.rest.Checks;
import io.sluice.server.secret.Secret;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a group proves who calls, as people write it. Every type has one secret at most. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(name = "none", value = AuthBody.None.class),
  @JsonSubTypes.Type(name = "basic", value = AuthBody.Basic.class),
  @JsonSubTypes.Type(name = "bearer", value = AuthBody.Bearer.class),
  @JsonSubTypes.Type(name = "header", value = AuthBody.Header.class),
  @JsonSubTypes.Type(name = "hmac", value = AuthBody.Hmac.class),
  @JsonSubTypes.Type(name = "oauth2", value = AuthBody.OAuth2.class)
})
sealed interface AuthBody {
  record None() implements AuthBody {}

  record Basic(@Nullable String username, @Nullable Secret password) implements AuthBody {}

  record Bearer(@Nullable Secret token) implements AuthBody {}

  record Header(@Nullable String name, @Nullable Secret value) implements AuthBody {}

  record Hmac(@Nullable String header, @Nullable Secret secret) implements AuthBody {}

  record OAuth2(
      @Nullable String tokenUrl,
      @Nullable String clientId,
      @Nullable Secret clientSecret,
      @Nullable String scope)
      implements AuthBody {
    private boolean hasCredentialInUrl() {
      return tokenUrl != null && GroupChecks.hasCredential(tokenUrl);
    }
  }

  /** Refuses what is not whole. */
  default void check() {
    Checks checks = new Checks();
    switch (this) {
      case None none -> {}
      case Basic basic ->
        checks
            .require(basic.username != null, "username", "is missing")
            .require(basic.password != null, "password", "is missing");
      case Bearer bearer -> checks.require(bearer.token != null, "token", "is missing");
      case Header header ->
        checks
            .require(header.name != null, "name", "is missing")
            .require(header.value != null, "value", "is missing");
      case Hmac hmac ->
        checks
            .require(hmac.header != null, "header", "is missing")
            .require(hmac.secret != null, "secret", "is missing");
      case OAuth2 oauth2 ->
        checks
            .require(oauth2.tokenUrl != null, "tokenUrl", "is missing")
            .require(
                !oauth2.hasCredentialInUrl(),
                "tokenUrl",
                "must not carry a credential in its query: it is kept and shown as it is")
            .require(oauth2.clientId != null, "clientId", "is missing")
            .require(oauth2.clientSecret != null, "clientSecret", "is missing");
    }
    checks.done();
  }

  /** The secret, where there is one. */
  default Optional<Secret> given() {
    return Optional.ofNullable(
        switch (this) {
          case None none -> null;
          case Basic basic -> basic.password;
          case Bearer bearer -> bearer.token;
          case Header header -> header.value;
          case Hmac hmac -> hmac.secret;
          case OAuth2 oauth2 -> oauth2.clientSecret;
        });
  }

  /** The name of the field that holds the secret; empty where there is none. */
  default String secretField() {
    return switch (this) {
      case None none -> "";
      case Basic basic -> "password";
      case Bearer bearer -> "token";
      case Header header -> "value";
      case Hmac hmac -> "secret";
      case OAuth2 oauth2 -> "clientSecret";
    };
  }

  /** What the delivery makes of a checked body and its real secret. */
  default Auth with(String secret) {
    return switch (this) {
      case None none -> new Auth.None();
      case Basic basic -> new Auth.Basic(String.valueOf(basic.username), secret);
      case Bearer bearer -> new Auth.Bearer(secret);
      case Header header -> new Auth.Header(String.valueOf(header.name), secret);
      case Hmac hmac -> new Auth.Hmac(String.valueOf(hmac.header), secret);
      case OAuth2 oauth2 ->
        new Auth.OAuth2(
            String.valueOf(oauth2.tokenUrl), String.valueOf(oauth2.clientId), secret, oauth2.scope);
    };
  }

  /** The headers that a request carries, with a secret or what is made of it hidden. */
  default Map<String, String> shown() {
    return switch (this) {
      case None none -> Map.of();
      case Basic basic -> Map.of("authorization", "Basic " + Secret.HIDDEN);
      case Bearer bearer -> Map.of("authorization", "Bearer " + Secret.HIDDEN);
      case Header header -> Map.of(String.valueOf(header.name), Secret.HIDDEN);
      case Hmac hmac -> Map.of(String.valueOf(hmac.header), Secret.HIDDEN);
      case OAuth2 oauth2 -> Map.of("authorization", "Bearer " + Secret.HIDDEN);
    };
  }
}
