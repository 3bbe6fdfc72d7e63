package io.sluice.server.job;

import io.sluice.server.rest.Checks;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.RawJson;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Jobs that are HTTP requests: from what a producer sends to the payload, and back. */
public final class HttpJobs {
  static final String TYPE = "http";

  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  private final BiPredicate<String, String> groupExists;
  private final Json json;

  public HttpJobs(BiPredicate<String, String> groupExists, Json json) {
    this.groupExists = groupExists;
    this.json = json;
  }

  String payload(Checks checks, String tenant, @Nullable String group, JobBody body) {
    String method = body.method() == null ? "POST" : body.method().toUpperCase(Locale.ROOT);
    checks.require(
        METHODS.contains(method),
        "method",
        "must be GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS");
    checks.require(
        group == null || groupExists.test(tenant, group),
        "urlGroup",
        "must be a URL group of the tenant; there is no '" + group + "'");
    checks.require(
        body.body() == null || body.bodyBase64() == null,
        "bodyBase64",
        "must not be given together with body: one of them is enough");
    size(checks, body);
    Map<String, @Nullable Object> call = new LinkedHashMap<>();
    call.put("url", body.url());
    call.put("path", body.path());
    call.put("method", method);
    call.put("headers", body.headers() == null ? Map.of() : body.headers());
    call.put("body", body.body());
    call.put("bodyBase64", body.bodyBase64());
    call.put("callbackUrl", body.callbackUrl());
    call.put("failureCallbackUrl", body.failureCallbackUrl());
    call.values().removeIf(value -> value == null);
    return json.text(call);
  }

  private void size(Checks checks, JobBody body) {
    RawJson content = body.body();
    if (content != null) {
      boolean text = content.text().startsWith("\"");
      JobReader.checkSize(
          "body",
          text
              ? json.tree(content.text()).asString().getBytes(StandardCharsets.UTF_8).length
              : content.bytes());
    }
    if (body.bodyBase64() != null) {
      try {
        JobReader.checkSize("bodyBase64", Base64.getDecoder().decode(body.bodyBase64()).length);
      } catch (IllegalArgumentException e) {
        checks.require(false, "bodyBase64", "must be base64");
      }
    }
  }

  /** What an HTTP job asks for, with the values of headers that carry credentials hidden. */
  record View(
      @Nullable String url,
      @Nullable String path,
      @Nullable String method,
      @Nullable Map<String, String> headers,
      @Nullable RawJson body,
      @Nullable String bodyBase64,
      @Nullable String callbackUrl,
      @Nullable String failureCallbackUrl) {
    /** What any other job asks for. */
    static final View NONE = new View(null, null, null, null, null, null, null, null);
  }

  View view(String payload) {
    View call = json.read(payload, View.class);
    Map<String, String> headers = new LinkedHashMap<>();
    if (call.headers() != null) {
      call.headers().forEach((name, value) -> headers.put(name, Redaction.shown(name, value)));
    }
    return new View(
        call.url(),
        call.path(),
        call.method(),
        headers,
        call.body(),
        call.bodyBase64(),
        call.callbackUrl(),
        call.failureCallbackUrl());
  }

  /** The result of a job; that of an HTTP job without what its receiver meant for the caller alone. */
  @Nullable
  RawJson result(String type, @Nullable String result) {
    return result == null ? null : new RawJson(type.equals(TYPE) ? redacted(result) : result);
  }

  /** JSON in which the values of headers that carry credentials are hidden, and nothing else changed. */
  String redacted(String text) {
    JsonNode tree = json.tree(text);
    if (!(tree.path("headers") instanceof ObjectNode headers)) {
      return text;
    }
    List<String> secrets = headers
        .propertyStream()
        .map(Map.Entry::getKey)
        .filter(Redaction::isSecret)
        .toList();
    secrets.forEach(name -> headers.put(name, Redaction.HIDDEN));
    return secrets.isEmpty() ? text : tree.toString();
  }
}
