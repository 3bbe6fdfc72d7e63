package io.sluice.server.fuzz;

import io.sluice.server.access.Role;
import io.sluice.server.fuzz.HttpText.HttpHeader;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A call that is being put together: an operation, a caller, and what goes into path, query, headers and body. */
final class CallDraft {
  private final ApiOperation operation;
  private final FuzzCaller caller;
  private final Map<String, String> path = new LinkedHashMap<>();
  private final List<String> query = new ArrayList<>();
  private final List<HttpHeader> headers = new ArrayList<>();
  private String method;
  private @Nullable JsonNode body;
  private String text = "";

  CallDraft(ApiOperation operation, FuzzCaller caller) {
    this.operation = operation;
    this.caller = caller;
    this.method = operation.method();
    if (!caller.key().isEmpty()) {
      header("Authorization", "Bearer " + caller.key());
    }
    if (caller.namesTenant()) {
      header("Sluice-Tenant", caller.tenant().name());
    }
  }

  ApiOperation operation() {
    return operation;
  }

  FuzzCaller caller() {
    return caller;
  }

  /** The role that the request proves; none where its credential was changed. */
  @Nullable
  Role role() {
    return headers.contains(new HttpHeader("Authorization", "Bearer " + caller.key()))
        ? caller.role()
        : null;
  }

  /** A path parameter, as it is; it is escaped when the request is rendered. */
  CallDraft path(String name, String value) {
    path.put(name, escaped(value));
    return this;
  }

  /** A path parameter that goes into the request line letter by letter. */
  CallDraft rawPath(String name, String value) {
    path.put(name, value);
    return this;
  }

  List<String> pathNames() {
    return List.copyOf(path.keySet());
  }

  String pathValue(String name) {
    return path.getOrDefault(name, "");
  }

  CallDraft query(String name, String value) {
    return rawQuery(escaped(name) + "=" + escaped(value));
  }

  CallDraft rawQuery(String pair) {
    query.add(pair);
    return this;
  }

  List<String> queries() {
    return query;
  }

  CallDraft header(String name, String value) {
    headers.add(new HttpHeader(name, value));
    return this;
  }

  CallDraft withoutHeader(String name) {
    headers.removeIf(one -> one.name().equalsIgnoreCase(name));
    return this;
  }

  CallDraft method(String other) {
    method = other;
    return this;
  }

  String method() {
    return method;
  }

  CallDraft body(JsonNode json) {
    body = json;
    text = json.toString();
    return this;
  }

  /** A body that need not be JSON. */
  CallDraft body(String any) {
    body = null;
    text = any;
    return this;
  }

  /** The body as it would be changed, or null where it is none or no JSON. */
  @Nullable
  JsonNode json() {
    return body;
  }

  String bodyText() {
    return text;
  }

  HttpText render() {
    String target = operation.path();
    for (Map.Entry<String, String> one : path.entrySet()) {
      target = target.replace("{" + one.getKey() + "}", one.getValue());
    }
    String question = query.stream().collect(Collectors.joining("&", "?", ""));
    return new HttpText(
        method, query.isEmpty() ? target : target + question, List.copyOf(headers), text);
  }

  static String escaped(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20").replace("%3A", ":");
  }
}
