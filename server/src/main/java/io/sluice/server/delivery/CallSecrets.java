package io.sluice.server.delivery;

import io.sluice.http.HttpCall;
import io.sluice.http.SecretNames;
import io.sluice.http.UrlQuery;
import io.sluice.server.secret.Place;
import io.sluice.server.secret.Secret;
import io.sluice.server.secret.Vault;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the credentials in HTTP calls sealed while they are stored: the values of headers and of query
 * parameters whose names say that they are credentials. Everything else of a call is data.
 */
public final class CallSecrets {
  private static final String TABLE = "job";
  private static final Pattern ORIGIN = Pattern.compile("[^:/?#]+://[^/?#]*");

  /** What to put for a value of this name, in a header or a query, on its way to an origin. */
  private interface Change {
    String of(String column, String origin, String name, String value);
  }

  private final Vault vault;

  public CallSecrets(Vault vault) {
    this.vault = vault;
  }

  /** The call as it may be stored. */
  public HttpCall seal(String tenant, HttpCall call) {
    return each(
        call,
        (column, origin, name, value) ->
            isSecret(name, value) ? vault.seal(place(tenant, column, origin, name), value) : value);
  }

  /** The call as it is to be sent. */
  public HttpCall open(String tenant, HttpCall call) {
    return each(
        call,
        (column, origin, name, value) ->
            Vault.isSealed(value) ? vault.open(place(tenant, column, origin, name), value) : value);
  }

  /** For each sealed text in the call that is not sealed with the newest key, the one that is. */
  Map<String, String> renewed(String tenant, HttpCall call) {
    Map<String, String> renewed = new LinkedHashMap<>();
    each(call, (column, origin, name, value) -> {
      if (Vault.isSealed(value)) {
        vault
            .renewed(place(tenant, column, origin, name), value)
            .ifPresent(text -> renewed.put(value, text));
      }
      return value;
    });
    return renewed;
  }

  /** The call as it may be shown. What was never sealed, because it came by another way, is hidden too. */
  public static HttpCall masked(HttpCall call) {
    return each(
        call, (column, origin, name, value) -> isSecret(name, value) ? Secret.HIDDEN : value);
  }

  /** A value that looks sealed is sealed again: nobody has us open what they did not give us. */
  private static boolean isSecret(String name, String value) {
    return SecretNames.contains(name) || Vault.isSealed(value);
  }

  /** The place of a value goes with where it is sent, so that it cannot be sent to anyone else. */
  private static Place place(String tenant, String column, String origin, String name) {
    return new Place(tenant, TABLE, column, origin + " " + name.toLowerCase(Locale.ROOT));
  }

  private static HttpCall each(HttpCall call, Change change) {
    String origin = origin(call.url());
    Map<String, String> headers = new LinkedHashMap<>();
    call.headers()
        .forEach((name, value) ->
            headers.put(name, value == null ? value : change.of("header", origin, name, value)));
    return new HttpCall(
        query(call.url(), change),
        query(call.path(), change),
        call.method(),
        headers,
        call.body(),
        call.bodyBase64(),
        call.followRedirects(),
        query(call.callbackUrl(), change),
        query(call.failureCallbackUrl(), change));
  }

  private static @Nullable String query(@Nullable String url, Change change) {
    String origin = origin(url);
    return url == null
        ? null
        : UrlQuery.change(url, (name, value) -> change.of("query", origin, name, value));
  }

  /** Scheme, host and port; empty for a path, which goes wherever its group says. */
  private static String origin(@Nullable String url) {
    Matcher origin = ORIGIN.matcher(url == null ? "" : url);
    return origin.lookingAt() ? origin.group() : "";
  }
}
