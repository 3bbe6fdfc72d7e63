package io.sluice.cli;

import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON as a tree: how it is read, shown and asked. */
final class Json {
  private static final JsonMapper MAPPER = JsonMapper.builder()
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
      .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
      .build();

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static ArrayNode array() {
    return MAPPER.createArrayNode();
  }

  /** The tree of a text; throws what {@link #trouble} can put into words. */
  static JsonNode read(String text) throws JacksonException {
    return MAPPER.readTree(text);
  }

  /** The tree of a text, or nothing where it is no JSON. */
  static @Nullable JsonNode readOrNull(String text) {
    try {
      return read(text);
    } catch (JacksonException e) {
      return null;
    }
  }

  /** What is wrong with a text that is no JSON. */
  static String trouble(JacksonException e) {
    String column =
        e.getLocation() == null ? "" : " at character " + e.getLocation().getColumnNr();
    return "is not valid JSON" + column + " ("
        + e.getOriginalMessage()
            .lines()
            .findFirst()
            .orElse("")
            .replaceFirst("^Unexpected", "unexpected")
        + ")";
  }

  static String pretty(JsonNode node) {
    return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node);
  }

  static String compact(JsonNode node) {
    return MAPPER.writeValueAsString(node);
  }

  /** What stands at a path such as {@code origin.queue}, for people: nothing where there is nothing. */
  static String text(JsonNode node, String path) {
    JsonNode found = node;
    for (String step : path.split("\\.", -1)) {
      found = found.path(step);
    }
    return text(found);
  }

  static String text(JsonNode node) {
    if (node.isMissingNode() || node.isNull()) {
      return "";
    }
    if (node.isArray() && node.valueStream().allMatch(JsonNode::isValueNode)) {
      return node.valueStream().map(Json::text).collect(Collectors.joining(", "));
    }
    if (node.isFloatingPointNumber()) {
      return node.decimalValue().stripTrailingZeros().toPlainString();
    }
    return node.isValueNode() ? node.asString() : compact(node);
  }
}
