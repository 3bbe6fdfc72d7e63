package io.sluice.server.urlgroup;

import io.sluice.Defaults;
import io.sluice.http.Auth;
import io.sluice.http.Cidr;
import io.sluice.http.Group;
import io.sluice.http.SecretNames;
import io.sluice.http.Signing;
import io.sluice.server.job.RetryBody;
import io.sluice.server.rest.Invalid;
import io.sluice.server.secret.Secret;
import io.sluice.server.urlgroup.UrlGroupBody.SigningBody;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A group with its settings and its secrets apart: {@code body} shows none of them.
 *
 * @param previousUntil when the second of two signing secrets is no longer used; null for always
 */
record Draft(
    UrlGroupBody body, GroupSecrets secrets, @Nullable Instant previousUntil) {
  /** What a group that is not there yet has. */
  static final Draft EMPTY = new Draft(UrlGroupBody.EMPTY, GroupSecrets.NONE, null);

  static final String STANDARD = "standard-webhooks";

  private static final Map<String, Signing.Scheme> SCHEMES =
      Map.of(STANDARD, Signing.Scheme.STANDARD_WEBHOOKS, "wstash", Signing.Scheme.WSTASH);

  /** What becomes of a group when somebody asks for this: stars stand for the secrets it has. */
  static Draft of(UrlGroupBody asked, Draft current) {
    Map<String, String> headerSecrets = new LinkedHashMap<>();
    Map<String, String> shown = headers(asked, current.secrets, headerSecrets);
    List<String> signing = signing(asked.signing(), current.secrets);
    boolean sameSigning = signing.equals(current.secrets.signing());
    return new Draft(
        asked.withHeaders(shown).withSigning(shown(asked.signing(), signing)),
        new GroupSecrets(auth(asked, current), headerSecrets, signing),
        sameSigning ? current.previousUntil : null);
  }

  private static @Nullable Map<String, String> headers(
      UrlGroupBody asked, GroupSecrets kept, Map<String, String> secrets) {
    if (asked.defaultHeaders() == null) {
      return null;
    }
    Map<String, String> shown = new LinkedHashMap<>();
    asked.defaultHeaders().forEach((name, value) -> {
      if (!SecretNames.contains(name)) {
        shown.put(name, value);
        return;
      }
      String field = "defaultHeaders." + name;
      secrets.put(name, real(field, Secret.of(value), kept.header(name)));
      shown.put(name, Secret.HIDDEN);
    });
    return shown;
  }

  private static @Nullable String auth(UrlGroupBody asked, Draft current) {
    AuthBody auth = asked.auth();
    if (auth == null) {
      return null;
    }
    AuthBody before = current.body.auth();
    boolean sameKind = before != null && before.getClass().equals(auth.getClass());
    return auth.given()
        .map(secret -> real("auth", secret, sameKind ? current.secrets.auth() : null))
        .orElse(null);
  }

  private static List<String> signing(@Nullable SigningBody asked, GroupSecrets kept) {
    if (asked == null) {
      return List.of();
    }
    List<Secret> given = asked.secrets();
    if (given == null) {
      if (kept.signing().isEmpty()) {
        throw new Invalid("signing.secrets", "is missing; secrets/rotate makes one for a group");
      }
      return kept.signing();
    }
    List<String> secrets = new ArrayList<>();
    for (int i = 0; i < given.size(); i++) {
      String before = i < kept.signing().size() ? kept.signing().get(i) : null;
      secrets.add(real("signing.secrets[" + i + "]", given.get(i), before));
    }
    return secrets;
  }

  private static @Nullable SigningBody shown(@Nullable SigningBody asked, List<String> secrets) {
    return asked == null
        ? null
        : new SigningBody(
            asked.scheme() == null ? STANDARD : asked.scheme(),
            secrets.stream().map(Secret::of).toList());
  }

  private static String real(String field, Secret given, @Nullable String kept) {
    if (!given.isKept()) {
      return given.reveal();
    }
    if (kept == null) {
      throw new Invalid(
          field,
          "must be the secret itself: " + Secret.HIDDEN + " keeps one, and none is kept here");
    }
    return kept;
  }

  /** The same group with a new secret first, and the newest of the old ones beside it until then. */
  Draft rotated(String secret, Instant until) {
    List<String> old = secrets.signing();
    List<String> live = old.isEmpty() ? List.of(secret) : List.of(secret, old.getFirst());
    SigningBody signing = body.signing();
    String scheme = signing == null || signing.scheme() == null ? STANDARD : signing.scheme();
    return new Draft(
        body.withSigning(new SigningBody(scheme, live.stream().map(Secret::of).toList())),
        new GroupSecrets(secrets.auth(), secrets.headers(), live),
        old.isEmpty() ? null : until);
  }

  /** The same group at this time: without a signing secret whose overlap is over. */
  Draft at(Instant now) {
    SigningBody signing = body.signing();
    if (previousUntil == null || signing == null || now.isBefore(previousUntil)) {
      return this;
    }
    // Secrets may be left out here: what is only shown is not opened.
    List<String> left = secrets.signing().stream().limit(1).toList();
    List<Secret> shown = signing.secrets() == null
        ? List.of()
        : signing.secrets().stream().limit(1).toList();
    return new Draft(
        body.withSigning(new SigningBody(signing.scheme(), shown)),
        new GroupSecrets(secrets.auth(), secrets.headers(), left),
        null);
  }

  /** The group as the delivery wants it; throws INVALID_MESSAGE, naming the field that is wrong. */
  Group group() {
    String name = body.name() == null ? "" : body.name();
    String baseUrl = body.baseUrl() == null ? "" : body.baseUrl();
    RetryBody retry = body.retry();
    return Group.of(name, baseUrl)
        .withHeaders(realHeaders())
        .withAuth(realAuth())
        .withSigning(realSigning())
        .withRetry(retry == null ? null : retry.over(Defaults.RETRY), Map.of())
        .withIpAllowlist(allowlist())
        .withRedirects(Boolean.TRUE.equals(body.followRedirects()));
  }

  private Map<String, String> realHeaders() {
    Map<String, String> real = new LinkedHashMap<>();
    if (body.defaultHeaders() != null) {
      body.defaultHeaders().forEach((name, value) -> {
        String secret = secrets.header(name);
        real.put(name, secret == null ? value : secret);
      });
    }
    return real;
  }

  private Auth realAuth() {
    AuthBody auth = body.auth();
    return auth == null ? new Auth.None() : auth.with(secrets.auth() == null ? "" : secrets.auth());
  }

  private @Nullable Signing realSigning() {
    SigningBody signing = body.signing();
    if (signing == null) {
      return null;
    }
    Signing.Scheme scheme = SCHEMES.get(signing.scheme() == null ? STANDARD : signing.scheme());
    if (scheme == null) {
      throw new Invalid("signing.scheme", "must be standard-webhooks or wstash");
    }
    return new Signing(scheme, secrets.signing());
  }

  private List<Cidr> allowlist() {
    List<Cidr> ranges = new ArrayList<>();
    List<String> given = body.ipAllowlist() == null ? List.of() : body.ipAllowlist();
    for (int i = 0; i < given.size(); i++) {
      ranges.add(Cidr.parse("ipAllowlist[" + i + "]", given.get(i)));
    }
    return ranges;
  }
}
