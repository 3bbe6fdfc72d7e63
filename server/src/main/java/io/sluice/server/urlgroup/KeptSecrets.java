package io.sluice.server.urlgroup;

import io.sluice.SluiceException;
import io.sluice.http.AddressGuard;
import io.sluice.http.SecretNames;
import io.sluice.http.TargetUrl;
import io.sluice.server.rest.Checks;
import io.sluice.server.secret.Secret;
import io.sluice.server.urlgroup.UrlGroupBody.SigningBody;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Refuses to take kept secrets along to another receiver. A secret that a change does not give again was
 * given for the origin (scheme, host and port) that the group had then; sent to another one, it would be
 * out, although nobody can read it here.
 */
final class KeptSecrets {
  private final AddressGuard guard;

  KeptSecrets(AddressGuard guard) {
    this.guard = guard;
  }

  /** Notes every secret that a change would keep and must give again. */
  void check(Checks checks, UrlGroupBody asked, UrlGroupBody current) {
    String moved = moved("baseUrl", current.baseUrl(), asked.baseUrl());
    if (moved != null) {
      headers(checks, asked.defaultHeaders(), moved);
      signing(checks, asked.signing(), moved);
    }
    auth(checks, asked.auth(), current.auth(), moved);
  }

  private static void headers(Checks checks, @Nullable Map<String, String> headers, String why) {
    if (headers != null) {
      headers.forEach((name, value) -> checks.require(
          !SecretNames.contains(name) || !Secret.of(value).isKept(),
          "defaultHeaders." + name,
          why));
    }
  }

  private static void signing(Checks checks, @Nullable SigningBody signing, String why) {
    if (signing == null) {
      return;
    }
    List<Secret> given = signing.secrets();
    if (given == null) {
      checks.require(false, "signing.secrets", why);
      return;
    }
    for (int i = 0; i < given.size(); i++) {
      checks.require(!given.get(i).isKept(), "signing.secrets[" + i + "]", why);
    }
  }

  private void auth(
      Checks checks, @Nullable AuthBody asked, @Nullable AuthBody current, @Nullable String moved) {
    Optional<Secret> given = asked == null ? Optional.empty() : asked.given();
    if (asked == null || current == null || !given.map(Secret::isKept).orElse(false)) {
      return;
    }
    String why = moved == null ? movedAuth(asked, current) : moved;
    if (why != null) {
      checks.require(false, "auth." + asked.secretField(), why);
    }
  }

  private @Nullable String movedAuth(AuthBody asked, AuthBody current) {
    if (asked instanceof AuthBody.OAuth2 after && current instanceof AuthBody.OAuth2 before) {
      return moved("auth.tokenUrl", before.tokenUrl(), after.tokenUrl());
    }
    if (asked instanceof AuthBody.Header after && current instanceof AuthBody.Header before) {
      return renamed("auth.name", before.name(), after.name());
    }
    if (asked instanceof AuthBody.Hmac after && current instanceof AuthBody.Hmac before) {
      return renamed("auth.header", before.header(), after.header());
    }
    return null;
  }

  private static @Nullable String renamed(
      String field, @Nullable String before, @Nullable String after) {
    return lower(before).equals(lower(after))
        ? null
        : "must be given again, because " + field + " changes: a kept secret is not sent in another"
            + " header";
  }

  private static String lower(@Nullable String name) {
    return name == null ? "" : name.toLowerCase(Locale.ROOT);
  }

  private @Nullable String moved(String field, @Nullable String before, @Nullable String after) {
    if (before == null || after == null || before.equals(after)) {
      return null;
    }
    Optional<String> to = origin(after);
    // A URL that is refused is reported as such, and nothing is sent there.
    return to.isEmpty() || to.equals(origin(before))
        ? null
        : "must be given again, because " + field + " moves to " + to.get()
            + ": a kept secret is not sent to another scheme, host or port";
  }

  private Optional<String> origin(String url) {
    try {
      return Optional.of(TargetUrl.check("url", url, guard).origin());
    } catch (SluiceException refused) {
      return Optional.empty();
    }
  }
}
