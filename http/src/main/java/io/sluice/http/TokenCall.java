package io.sluice.http;

import io.sluice.AttemptFailure;
import io.sluice.ErrorClass;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks the token endpoint of one group for a token. The client proves itself in the authorization
 * header, which every endpoint has to understand; to one that does not, it does so once more in the form.
 */
final class TokenCall {
  /** A token, and how long it is good for. */
  record Granted(String token, Duration lifetime) {
    @Override
    public String toString() {
      return "Granted[***, " + lifetime + "]";
    }
  }

  /** What the endpoint said. */
  private record Word(Answer answer, JsonNode json) {
    String error() {
      return json.path("error").asString("");
    }

    boolean isRefusal() {
      return error().equals("invalid_client")
          || (answer.status() == 401 && error().isEmpty());
    }

    /** True where the endpoint may only have missed the credentials in the place where they were. */
    boolean mayHaveMissed() {
      return (answer.status() == 400 || answer.status() == 401) && MISSED.contains(error());
    }
  }

  private static final Set<String> MISSED = Set.of("", "invalid_client", "invalid_request");
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final Duration USUAL_LIFETIME = Duration.ofMinutes(5);
  private static final Duration LONGEST_LIFETIME = Duration.ofDays(1);
  private static final int MOST_BYTES = 64 << 10;
  private static final int LONGEST_TOKEN = 7_000;
  private static final int LONGEST_WORD = 200;
  private static final JsonMapper MAPPER = new JsonMapper();

  private final GuardedClient client;
  private final String tenant;
  private final String group;
  private final Auth.OAuth2 auth;
  private final Excerpt excerpt;
  private volatile boolean inForm;

  TokenCall(GuardedClient client, String tenant, String group, Auth.OAuth2 auth) {
    this.client = client;
    this.tenant = tenant;
    this.group = group;
    this.auth = auth;
    this.excerpt =
        new Excerpt(List.of(auth.clientSecret(), encoded(auth.clientSecret()), basic(auth)));
  }

  /** Asks once, or twice where the first way of proving is not understood. */
  Granted ask() throws AttemptFailure, InterruptedException {
    TargetUrl url = place();
    // By http the secret may be read on its way: it leaves for addresses that were opened alone,
    // and
    // which one a name leads to is known at the connection.
    List<Cidr> only = url.isSecure() ? List.of() : client.guard().opened();
    Party party = new Party(tenant, group, auth, only);
    try (Cutoff cutoff = client.cutoff(PATIENCE)) {
      boolean form = inForm;
      Word word = send(party, url, form, cutoff);
      if (!form && word.mayHaveMissed()) {
        Word second = send(party, url, true, cutoff);
        inForm = second.answer.isSuccess();
        word = inForm || !word.isRefusal() ? second : word;
      }
      return granted(url, word);
    }
  }

  private TargetUrl place() throws AttemptFailure {
    try {
      return auth.place(client.guard());
    } catch (RefusedTarget e) {
      throw new AttemptFailure(
          ErrorClass.REJECTED, e.code(), "no token is asked for: the token URL " + e.reason());
    }
  }

  /** That the endpoint cannot be spoken to is a failure of the network, whatever is behind it. */
  private Word send(Party party, TargetUrl url, boolean form, Cutoff cutoff)
      throws AttemptFailure, InterruptedException {
    try {
      Answer answer = client.send(request(party, url, form), cutoff);
      return new Word(answer, json(answer));
    } catch (AttemptFailure e) {
      boolean refused = e.errorClass() == ErrorClass.REJECTED;
      throw new AttemptFailure(
          refused ? ErrorClass.REJECTED : ErrorClass.NETWORK,
          refused ? e.code() : "TOKEN_FAILED",
          "the token endpoint gave no token: " + e.getMessage());
    }
  }

  private Outgoing request(Party party, TargetUrl url, boolean form) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("grant_type", "client_credentials");
    if (auth.scope() != null) {
      fields.put("scope", auth.scope());
    }
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put("accept", "application/json");
    headers.put("content-type", "application/x-www-form-urlencoded");
    if (form) {
      fields.put("client_id", auth.clientId());
      fields.put("client_secret", auth.clientSecret());
    } else {
      headers.put("authorization", "Basic " + basic(auth));
    }
    String body = fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + encoded(field.getValue()))
        .collect(Collectors.joining("&"));
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new Outgoing(party, "POST", url, headers, Bytes.of(bytes), MOST_BYTES);
  }

  /** Both parts are encoded like a form's before they are joined, as the standard wants it. */
  private static String basic(Auth.OAuth2 auth) {
    String both = encoded(auth.clientId()) + ":" + encoded(auth.clientSecret());
    return Base64.getEncoder().encodeToString(both.getBytes(StandardCharsets.UTF_8));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static JsonNode json(Answer answer) {
    try {
      JsonNode json = answer.whole() ? MAPPER.readTree(answer.body().raw()) : null;
      return json == null ? MAPPER.missingNode() : json;
    } catch (JacksonException notJson) {
      return MAPPER.missingNode();
    }
  }

  private Granted granted(TargetUrl url, Word word) throws AttemptFailure {
    String token = word.json.path("access_token").asString("");
    String type = word.json.path("token_type").asString("bearer");
    if (!word.answer.isSuccess()) {
      throw failure(url, word, "answered " + word.answer.status() + said(word));
    }
    if (token.isEmpty() || token.length() > LONGEST_TOKEN || !isSendable(token)) {
      throw failure(
          url, word, "answered " + word.answer.status() + " without a usable access_token");
    }
    if (!type.equalsIgnoreCase("bearer")) {
      throw failure(url, word, "gave a token that is no bearer token");
    }
    return new Granted(token, lifetime(word.json.path("expires_in")));
  }

  private static boolean isSendable(String token) {
    return token.chars().allMatch(c -> c > ' ' && c < 0x7f);
  }

  private static Duration lifetime(JsonNode seconds) {
    long given = seconds.asLong(-1);
    if (given < 0) {
      return USUAL_LIFETIME;
    }
    return Duration.ofSeconds(Math.min(given, LONGEST_LIFETIME.toSeconds()));
  }

  private AttemptFailure failure(TargetUrl url, Word word, String what) {
    return word.isRefusal()
        ? new AttemptFailure(
            ErrorClass.NETWORK,
            "TOKEN_REFUSED",
            "the token endpoint does not accept the client id and secret: " + url + " " + what)
        : new AttemptFailure(
            ErrorClass.NETWORK, "TOKEN_FAILED", "the token endpoint " + url + " " + what);
  }

  private String said(Word word) {
    String description = word.json.path("error_description").asString("");
    String both = word.error() + (description.isEmpty() ? "" : " (" + description + ")");
    String shown = excerpt.plain(both).replaceAll("\\p{Cntrl}", " ").strip();
    return shown.isEmpty()
        ? ""
        : ": "
            + shown.substring(
                0,
                shown.offsetByCodePoints(
                    0, Math.min(LONGEST_WORD, shown.codePointCount(0, shown.length()))));
  }
}
