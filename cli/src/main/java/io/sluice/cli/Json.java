package io.sluice.cli;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.regex.Pattern;
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

  private static final Pattern UNSAFE = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}&&[^\r\n]]");
  /** A number of more digits than this is shown with its exponent. */
  private static final int MOST_DIGITS = 40;

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
    return escaped(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(node));
  }

  static String compact(JsonNode node) {
    return escaped(MAPPER.writeValueAsString(node));
  }

  /** The same JSON, in which no character can act on a terminal: such stand in strings only. */
  private static String escaped(String json) {
    return UNSAFE
        .matcher(json)
        .replaceAll(found -> found
            .group()
            .chars()
            .mapToObj(c -> String.format(Locale.ROOT, "\\\\u%04x", c))
            .collect(Collectors.joining()));
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
      return number(node.decimalValue().stripTrailingZeros());
    }
    return node.isValueNode() ? node.asString() : compact(node);
  }

  /** Without an exponent where that is short: {@code 1e400000000} has as many digits as it says. */
  private static String number(BigDecimal number) {
    boolean isShort = Math.abs((long) number.scale()) + number.precision() <= MOST_DIGITS;
    return isShort ? number.toPlainString() : number.toString();
  }
}
