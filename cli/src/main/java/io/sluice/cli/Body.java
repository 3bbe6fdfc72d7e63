package io.sluice.cli;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The body of a request: JSON that was given whole, with what options say put over it. */
final class Body {
  private final ObjectNode node;

  private Body(ObjectNode node) {
    this.node = node;
  }

  static Body empty() {
    return new Body(Json.object());
  }

  /** What a file holds, or standard input for {@code -}; nothing for none. */
  static Body of(Console console, @Nullable String file) {
    if (file == null) {
      return empty();
    }
    return over(Source.jsonFile(console, "--from-json", file), "--from-json");
  }

  static Body over(JsonNode given, String what) {
    if (!(given instanceof ObjectNode object)) {
      throw new CommandException(Exit.MISUSED, what + " must be a JSON object");
    }
    return new Body(object);
  }

  /** Sets a field such as {@code retry.maxAttempts}, unless there is no value. */
  Body set(String path, @Nullable Object value) {
    return value == null ? this : put(path, node(value));
  }

  /** Takes a field away: the server gives it its default. */
  Body unset(Collection<String> paths) {
    paths.forEach(path -> put(path, Json.object().nullNode()));
    return this;
  }

  private Body put(String path, JsonNode value) {
    String[] steps = path.split("\\.", -1);
    ObjectNode at = node;
    for (int i = 0; i < steps.length - 1; i++) {
      at = at.path(steps[i]) instanceof ObjectNode inner ? inner : at.putObject(steps[i]);
    }
    at.set(steps[steps.length - 1], value);
    return this;
  }

  private static JsonNode node(Object value) {
    return switch (value) {
      case JsonNode json -> json;
      case Integer number -> Json.object().numberNode(number);
      case Long number -> Json.object().numberNode(number);
      case BigDecimal number -> Json.object().numberNode(number);
      case Boolean flag -> Json.object().booleanNode(flag);
      case Collection<?> list -> array(list);
      case Map<?, ?> map -> object(map);
      default -> Json.object().stringNode(value.toString());
    };
  }

  private static ArrayNode array(Collection<?> list) {
    ArrayNode array = Json.array();
    list.forEach(one -> array.add(node(one)));
    return array;
  }

  private static ObjectNode object(Map<?, ?> map) {
    ObjectNode object = Json.object();
    map.forEach((name, value) -> object.set(String.valueOf(name), node(value)));
    return object;
  }

  boolean has(String field) {
    return node.has(field);
  }

  ObjectNode node() {
    return node;
  }

  /** The body of a change, which must change something. */
  ObjectNode nodeOfChange() {
    if (node.isEmpty()) {
      throw new CommandException(Exit.MISUSED, "nothing to change: give an option or --from-json");
    }
    return node;
  }
}
