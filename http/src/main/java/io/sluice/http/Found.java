package io.sluice.http;

import io.sluice.Result;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * What the predecessors of a job left, to be asked for by paths such as {@code charge.body.id}: the name
 * of one, then fields, and numbers for places in lists. A text on the way that is JSON, such as the body of
 * an answer, is looked into. Each of them is read once, and not before it is asked for.
 */
final class Found {
  private static final JsonMapper JSON = JsonMapper.builder()
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  private final Map<String, Result> results = new HashMap<>();
  private final Map<String, JsonNode> read = new HashMap<>();
  private final IdentityHashMap<JsonNode, JsonNode> inside = new IdentityHashMap<>();

  Found(List<Result> results) {
    // Each is known by its id as well, for the name of a batch may be none that could stand in a
    // path.
    results.forEach(result -> this.results.put(result.id().toString(), result));
    results.forEach(result -> this.results.put(result.name(), result));
  }

  /** What stands at a path; a missing node where nothing does. */
  JsonNode at(String path) {
    String name = name(path);
    if (name == null) {
      return MissingNode.getInstance();
    }
    JsonNode node = read.computeIfAbsent(name, this::whole);
    if (path.length() > name.length()) {
      for (String step : path.substring(name.length() + 1).split("\\.", -1)) {
        node = step(node.isString() ? inside.computeIfAbsent(node, Found::inside) : node, step);
      }
    }
    return node;
  }

  /** The longest name that the path begins with, for names may have dots in them. */
  private @Nullable String name(String path) {
    for (int end = path.length(); end > 0; end = path.lastIndexOf('.', end - 1)) {
      String name = path.substring(0, end);
      if (results.containsKey(name)) {
        return name;
      }
    }
    return null;
  }

  private JsonNode whole(String name) {
    Result result = results.get(name);
    String json = result == null ? null : result.json();
    return json == null ? MissingNode.getInstance() : JSON.readTree(json);
  }

  private static JsonNode inside(JsonNode text) {
    try {
      return JSON.readTree(text.asString());
    } catch (JacksonException e) {
      // It is a text and no more, so that there is nothing in it.
      return MissingNode.getInstance();
    }
  }

  private static JsonNode step(JsonNode node, String step) {
    boolean place = node.isArray() && step.length() < 10 && step.matches("[0-9]+");
    return place ? node.path(Integer.parseInt(step)) : node.path(step);
  }
}
