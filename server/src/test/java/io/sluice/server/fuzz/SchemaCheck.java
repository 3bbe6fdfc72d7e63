package io.sluice.server.fuzz;

import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.StringNode;

/**
 * A check of values against the part of JSON Schema that our document uses. It is stricter in one point: an
 * object whose schema lists properties has no others, unless {@code additionalProperties} says so. A keyword that it
 * does not know is an error, so that no rule of the document is passed over.
 */
final class SchemaCheck {
  private static final Set<String> KNOWN = Set.of(
      "$ref",
      "type",
      "enum",
      "const",
      "pattern",
      "format",
      "minimum",
      "maximum",
      "exclusiveMinimum",
      "minLength",
      "maxLength",
      "minItems",
      "maxItems",
      "minProperties",
      "required",
      "properties",
      "patternProperties",
      "additionalProperties",
      "propertyNames",
      "items",
      "anyOf",
      "oneOf");
  private static final Set<String> WITHOUT_EFFECT = Set.of(
      "description", "default", "example", "examples", "title", "discriminator", "contentEncoding");
  private static final Pattern UUID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private final ApiDocument document;

  SchemaCheck(ApiDocument document) {
    this.document = document;
  }

  /** What is wrong with a value, each with its path; empty when it fits. */
  List<String> faults(JsonNode schema, JsonNode value) {
    List<String> faults = new ArrayList<>();
    check(schema, value, "$", faults);
    return faults;
  }

  private void check(JsonNode schema, JsonNode value, String path, List<String> faults) {
    for (String keyword : schema.propertyNames()) {
      if (!KNOWN.contains(keyword) && !WITHOUT_EFFECT.contains(keyword)) {
        throw new IllegalStateException("SchemaCheck does not know the keyword " + keyword);
      }
    }
    if (schema.has("$ref")) {
      check(document.resolve(schema), value, path, faults);
    }
    if (schema.has("type") && !hasType(schema.path("type"), value)) {
      faults.add(path + " is " + shown(value) + ", not " + schema.path("type"));
      return;
    }
    if (schema.has("enum") && schema.path("enum").valueStream().noneMatch(value::equals)) {
      faults.add(path + " is " + shown(value) + ", not one of " + schema.path("enum"));
    }
    if (schema.has("const") && !schema.path("const").equals(value)) {
      faults.add(path + " is " + shown(value) + ", not " + schema.path("const"));
    }
    alternatives(schema, value, path, faults);
    if (value.isString()) {
      text(schema, value.asString(), path, faults);
    } else if (value.isNumber()) {
      number(schema, value.decimalValue(), path, faults);
    } else if (value.isArray()) {
      array(schema, value, path, faults);
    } else if (value.isObject()) {
      object(schema, value, path, faults);
    }
  }

  private static boolean hasType(JsonNode type, JsonNode value) {
    return type.isArray()
        ? type.valueStream().anyMatch(one -> isOf(one.asString(), value))
        : isOf(type.asString(), value);
  }

  private static boolean isOf(String type, JsonNode value) {
    return switch (type) {
      case "string" -> value.isString();
      case "number" -> value.isNumber();
      case "integer" ->
        value.isNumber() && value.decimalValue().stripTrailingZeros().scale() <= 0;
      case "boolean" -> value.isBoolean();
      case "array" -> value.isArray();
      case "object" -> value.isObject();
      case "null" -> value.isNull();
      default -> throw new IllegalStateException("SchemaCheck does not know the type " + type);
    };
  }

  private void alternatives(JsonNode schema, JsonNode value, String path, List<String> faults) {
    if (schema.has("anyOf") && fitting(schema.path("anyOf"), value) == 0) {
      faults.add(path + " is " + shown(value) + ", which fits none of anyOf"
          + reasons(schema.path("anyOf"), value));
    }
    if (schema.has("oneOf") && fitting(schema.path("oneOf"), value) != 1) {
      faults.add(path + " is " + shown(value) + ", which fits "
          + fitting(schema.path("oneOf"), value) + " of oneOf and not 1");
    }
  }

  private long fitting(JsonNode schemas, JsonNode value) {
    return schemas.valueStream().filter(one -> faults(one, value).isEmpty()).count();
  }

  private String reasons(JsonNode schemas, JsonNode value) {
    return schemas.valueStream().map(one -> faults(one, value)).toList().toString();
  }

  private static void text(JsonNode schema, String text, String path, List<String> faults) {
    int length = text.codePointCount(0, text.length());
    if (length < schema.path("minLength").asInt(0)) {
      faults.add(path + " is shorter than " + schema.path("minLength"));
    }
    if (length > schema.path("maxLength").asInt(Integer.MAX_VALUE)) {
      faults.add(path + " is longer than " + schema.path("maxLength"));
    }
    if (schema.has("pattern")
        && !Pattern.compile(schema.path("pattern").asString()).matcher(text).find()) {
      faults.add(path + " is '" + text + "', which does not match " + schema.path("pattern"));
    }
    String format = schema.path("format").asString("");
    if (!hasFormat(format, text)) {
      faults.add(path + " is '" + text + "', which is no " + format);
    }
  }

  private static boolean hasFormat(String format, String text) {
    try {
      return switch (format) {
        case "uuid" -> UUID.matcher(text).matches();
        case "date-time" -> OffsetDateTime.parse(text).getYear() > 0;
        case "date" -> LocalDate.parse(text).getYear() > 0;
        case "", "uri", "password" -> true;
        default ->
          throw new IllegalStateException("SchemaCheck does not know the format " + format);
      };
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static void number(JsonNode schema, BigDecimal number, String path, List<String> faults) {
    boolean isLow =
        schema.has("minimum") && number.compareTo(schema.path("minimum").decimalValue()) < 0;
    boolean isAtBottom = schema.has("exclusiveMinimum")
        && number.compareTo(schema.path("exclusiveMinimum").decimalValue()) <= 0;
    boolean isHigh =
        schema.has("maximum") && number.compareTo(schema.path("maximum").decimalValue()) > 0;
    if (isLow || isAtBottom || isHigh) {
      faults.add(path + " is " + number + ", which is out of bounds");
    }
  }

  private void array(JsonNode schema, JsonNode value, String path, List<String> faults) {
    if (value.size() < schema.path("minItems").asInt(0)
        || value.size() > schema.path("maxItems").asInt(Integer.MAX_VALUE)) {
      faults.add(path + " has " + value.size() + " items, which is out of bounds");
    }
    if (schema.has("items")) {
      for (int i = 0; i < value.size(); i++) {
        check(schema.path("items"), value.get(i), path + "[" + i + "]", faults);
      }
    }
  }

  private void object(JsonNode schema, JsonNode value, String path, List<String> faults) {
    if (value.size() < schema.path("minProperties").asInt(0)) {
      faults.add(path + " has too few properties");
    }
    schema
        .path("required")
        .valueStream()
        .filter(name -> !value.has(name.asString()))
        .forEach(name -> faults.add(path + " has no " + name.asString()));
    value.propertyStream().forEach(property -> property(schema, property, path, faults));
  }

  private void property(
      JsonNode schema, Map.Entry<String, JsonNode> property, String path, List<String> faults) {
    String name = property.getKey();
    String at = path + "." + name;
    if (schema.has("propertyNames")) {
      check(schema.path("propertyNames"), StringNode.valueOf(name), at, faults);
    }
    JsonNode own = schema.path("properties").path(name);
    if (!own.isMissingNode()) {
      check(own, property.getValue(), at, faults);
      return;
    }
    for (Map.Entry<String, JsonNode> one : schema.path("patternProperties").properties()) {
      if (Pattern.compile(one.getKey()).matcher(name).find()) {
        check(one.getValue(), property.getValue(), at, faults);
        return;
      }
    }
    JsonNode others = schema.path("additionalProperties");
    if (others.isObject()) {
      check(others, property.getValue(), at, faults);
    } else if (schema.has("properties") && !others.asBoolean(false)) {
      faults.add(at + " is not in the document");
    }
  }

  private static String shown(JsonNode value) {
    String text = value.toString();
    return text.length() > 120 ? text.substring(0, 120) + "…" : text;
  }
}
