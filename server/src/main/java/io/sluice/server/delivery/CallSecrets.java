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
import java.util.function.BinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the credentials in HTTP calls sealed while they are stored: the values of headers and of query
 * parameters whose names say that they are credentials. Everything else of a call is data.
 */
public final class CallSecrets {
  private static final String TABLE = "job";

  private final Vault vault;

  public CallSecrets(Vault vault) {
    this.vault = vault;
  }

  /** The call as it may be stored. */
  public HttpCall seal(String tenant, HttpCall call) {
    return each(
        call,
        (name, value) -> isSecret(name, value) ? vault.seal(header(tenant, name), value) : value,
        (name, value) ->
            isSecret(name, value) ? vault.seal(parameter(tenant, name), value) : value);
  }

  /** The call as it is to be sent. */
  public HttpCall open(String tenant, HttpCall call) {
    return each(
        call,
        (name, value) -> Vault.isSealed(value) ? vault.open(header(tenant, name), value) : value,
        (name, value) ->
            Vault.isSealed(value) ? vault.open(parameter(tenant, name), value) : value);
  }

  /** The call as it may be shown. What was never sealed, because it came by another way, is hidden too. */
  public static HttpCall masked(HttpCall call) {
    BinaryOperator<String> hide = (name, value) -> isSecret(name, value) ? Secret.HIDDEN : value;
    return each(call, hide, hide);
  }

  /** A value that looks sealed is sealed again: nobody has us open what they did not give us. */
  private static boolean isSecret(String name, String value) {
    return SecretNames.contains(name) || Vault.isSealed(value);
  }

  private static Place header(String tenant, String name) {
    return new Place(tenant, TABLE, "header", name.toLowerCase(Locale.ROOT));
  }

  private static Place parameter(String tenant, String name) {
    return new Place(tenant, TABLE, "query", name);
  }

  private static HttpCall each(
      HttpCall call, BinaryOperator<String> header, BinaryOperator<String> parameter) {
    Map<String, String> headers = new LinkedHashMap<>();
    call.headers()
        .forEach(
            (name, value) -> headers.put(name, value == null ? value : header.apply(name, value)));
    return new HttpCall(
        query(call.url(), parameter),
        query(call.path(), parameter),
        call.method(),
        headers,
        call.body(),
        call.bodyBase64(),
        call.followRedirects(),
        query(call.callbackUrl(), parameter),
        query(call.failureCallbackUrl(), parameter));
  }

  private static @Nullable String query(@Nullable String url, BinaryOperator<String> change) {
    return url == null ? null : UrlQuery.change(url, change);
  }
}
