package io.sluice.server.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Changes to a valid call, one or a few at a time, in its body, query, path, headers or method. */
final class CallMutator {
  private static final List<String> METHODS =
      List.of("GET", "HEAD", "POST", "PUT", "PATCH", "OPTIONS", "TRACE", "BREW", "get", "PROPFIND");
  private static final List<String> TYPES = List.of(
      "text/plain",
      "application/xml",
      "application/json; charset=utf-16",
      "",
      "a",
      "*/*",
      "application/json;;",
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencoded");
  private static final List<String> CONDITIONS =
      List.of("If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since", "If-Range");

  private final RandomGenerator random;

  CallMutator(RandomGenerator random) {
    this.random = random;
  }

  void body(CallDraft draft) {
    JsonNode json = draft.json();
    if (json == null || random.nextInt(6) == 0) {
      draft.body(OddValues.body(draft.bodyText(), random));
      return;
    }
    JsonNode changed = json.deepCopy();
    for (int i = 0; i <= random.nextInt(2); i++) {
      change(changed);
    }
    draft.body(changed);
  }

  private void change(JsonNode root) {
    List<JsonNode> inner = new ArrayList<>();
    collect(root, inner);
    JsonNode node = inner.get(random.nextInt(inner.size()));
    if (node instanceof ObjectNode object) {
      changeObject(object);
    } else if (node instanceof ArrayNode array) {
      changeArray(array);
    }
  }

  private static void collect(JsonNode node, List<JsonNode> into) {
    into.add(node);
    for (JsonNode child : node.values()) {
      if (child.isContainer()) {
        collect(child, into);
      }
    }
  }

  private void changeObject(ObjectNode object) {
    List<String> names = List.copyOf(object.propertyNames());
    String name = names.isEmpty() ? "x" : names.get(random.nextInt(names.size()));
    switch (random.nextInt(8)) {
      case 0 -> object.remove(name);
      case 1 -> object.set("unknown", OddValues.json(random));
      case 2 -> object.set(OddValues.text(random), OddValues.json(random));
      case 3 ->
        object.set(name.toUpperCase(java.util.Locale.ROOT), object.path(name).deepCopy());
      default -> object.set(name, OddValues.json(random));
    }
  }

  private void changeArray(ArrayNode array) {
    if (array.isEmpty() || random.nextBoolean()) {
      array.add(OddValues.json(random));
    } else {
      array.set(random.nextInt(array.size()), OddValues.json(random));
    }
  }

  void query(CallDraft draft) {
    List<ApiParameter> known = draft.operation().in("query");
    String name = known.isEmpty() || random.nextInt(8) == 0
        ? "unknown"
        : known.get(random.nextInt(known.size())).name().replace("{field}", "userId");
    switch (random.nextInt(8)) {
      case 0 -> draft.query(name, "");
      case 1 -> draft.rawQuery(name);
      case 2 -> draft.rawQuery(name + "=" + OddValues.raw(random));
      case 3 -> draft.query(OddValues.text(random), "1");
      case 4 -> draft.query(name, "1").query(name, "2");
      case 5 -> draft.query("metadata.", OddValues.text(random));
      default -> draft.query(name, OddValues.text(random));
    }
  }

  void path(CallDraft draft) {
    List<String> names = draft.pathNames();
    if (names.isEmpty()) {
      query(draft);
      return;
    }
    String name = names.get(random.nextInt(names.size()));
    switch (random.nextInt(4)) {
      case 0 -> draft.rawPath(name, OddValues.raw(random));
      case 1 -> draft.rawPath(name, draft.pathValue(name) + OddValues.raw(random));
      default -> draft.path(name, OddValues.text(random));
    }
  }

  void headers(CallDraft draft) {
    switch (random.nextInt(14)) {
      case 0 -> draft.header("Idempotency-Key", " ".repeat(random.nextInt(3)));
      case 1 -> draft.header("Idempotency-Key", "k".repeat(600));
      case 2 -> draft.header("Idempotency-Key", "a").header("Idempotency-Key", "b");
      case 3 -> draft.header("Idempotency-Key", "\u00ff\u00e9" + random.nextInt(100));
      case 4 -> draft.withoutHeader("Sluice-Tenant").header("Sluice-Tenant", "nobody");
      case 5 -> draft.header("Sluice-Tenant", "").header("Sluice-Tenant", "nobody");
      case 6 -> draft.header("Content-Type", TYPES.get(random.nextInt(TYPES.size())));
      case 7 -> draft.header(CONDITIONS.get(random.nextInt(CONDITIONS.size())), "\"x\"");
      case 8 -> draft.header("Content-Encoding", "gzip");
      case 9 -> draft.withoutHeader("Authorization").header("Authorization", credential());
      case 10 -> draft.header("traceparent", OddValues.text(random).replaceAll("[^ -~]", "?"));
      case 11 -> draft.header("Accept", "text/html").header("Range", "bytes=0-1");
      case 12 -> large(draft);
      default -> draft.header("Expect", random.nextBoolean() ? "100-continue" : "tea");
    }
  }

  private String credential() {
    List<String> credentials = List.of(
        "", "Bearer", "Bearer ", "Basic YTpi", "Bearer a.b.c", "Bearer sluice_made_up", "x");
    return credentials.get(random.nextInt(credentials.size()));
  }

  private void large(CallDraft draft) {
    if (random.nextBoolean()) {
      draft.header("X-Large", "x".repeat(40_000));
    } else {
      for (int i = 0; i < 110; i++) {
        draft.header("X-" + i, "1");
      }
    }
  }

  /** Another method at the same path; never one that deletes what is counted on. */
  void method(CallDraft draft) {
    boolean mayDelete =
        draft.caller().tenant().mayDelete() && !draft.operation().path().startsWith("/v1/tenants/");
    draft.method(
        mayDelete && random.nextInt(4) == 0
            ? "DELETE"
            : METHODS.get(random.nextInt(METHODS.size())));
  }
}
