package io.sluice.server.fuzz;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Values that fit a schema, by chance, with the rules beside the schema kept by {@link BodyRules}. */
final class BodySampler {
  private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
  private static final JsonMapper MAPPER = new JsonMapper();
  private static final int DEEPEST = 4;

  private final ApiDocument document;
  private final RandomGenerator random;
  private final FieldHints hints;
  private final BodyRules rules;

  BodySampler(ApiDocument document, RandomGenerator random, FieldHints hints) {
    this.document = document;
    this.random = random;
    this.hints = hints;
    this.rules = new BodyRules(random, hints);
  }

  /** A body for an operation of this tenant. */
  JsonNode body(ApiOperation operation, FuzzTenant tenant) {
    JsonNode body = sample(operation.body().orElseThrow(), "", tenant, 0);
    return body instanceof ObjectNode object ? rules.of(operation, object, tenant) : body;
  }

  /** The text of a parameter. */
  String parameter(ApiParameter parameter, FuzzTenant tenant) {
    if (parameter.name().equals("state")) {
      return hints.states();
    }
    return sample(parameter.schema(), parameter.name(), tenant, 0).asString();
  }

  private JsonNode sample(JsonNode given, String field, FuzzTenant tenant, int depth) {
    String name = ApiDocument.name(given);
    JsonNode schema = document.resolve(given);
    if (schema.has("const")) {
      return schema.path("const");
    }
    Optional<JsonNode> hint = isOwn(name) ? Optional.empty() : hints.of(field, tenant);
    if (hint.isPresent()) {
      return hint.get();
    }
    if (schema.has("enum")) {
      List<JsonNode> words =
          schema.path("enum").valueStream().filter(word -> !word.isNull()).toList();
      return words.get(random.nextInt(words.size()));
    }
    if (schema.has("anyOf")) {
      return sample(schema.path("anyOf").get(0), field, tenant, depth);
    }
    if (schema.has("oneOf")) {
      JsonNode choice =
          schema.path("oneOf").get(random.nextInt(schema.path("oneOf").size()));
      return object(choice, tenant, depth);
    }
    JsonNode value = ofType(type(schema), schema, tenant, depth);
    return value instanceof ObjectNode object ? rules.of(name, object, tenant) : value;
  }

  /** Schemas whose fields are described by themselves, though a field of that name has a hint elsewhere. */
  private static boolean isOwn(String name) {
    return Set.of("Role", "State", "Retry", "Rate").contains(name);
  }

  /** The first type that is not null; now and then null where that is allowed. */
  private String type(JsonNode schema) {
    JsonNode type = schema.path("type");
    if (!type.isArray()) {
      return type.asString("object");
    }
    List<String> types =
        StreamSupport.stream(type.spliterator(), false).map(JsonNode::asString).toList();
    return types.contains("null") && random.nextInt(12) == 0
        ? "null"
        : types.stream().filter(one -> !one.equals("null")).findFirst().orElseThrow();
  }

  private JsonNode ofType(String type, JsonNode schema, FuzzTenant tenant, int depth) {
    return switch (type) {
      case "null" -> NullNode.getInstance();
      case "boolean" -> NODES.booleanNode(random.nextBoolean());
      case "integer" -> NODES.numberNode(integer(schema));
      case "number" -> NODES.numberNode(decimal(schema));
      case "array" -> array(schema, tenant, depth);
      case "object" -> object(schema, tenant, depth);
      default -> StringNode.valueOf(text(schema));
    };
  }

  private long integer(JsonNode schema) {
    long least = schema.path("minimum").asLong(0);
    long most = Math.min(schema.path("maximum").asLong(least + 100), least + 100);
    return random.nextLong(least, most + 1);
  }

  private double decimal(JsonNode schema) {
    double least = schema.path("minimum").asDouble(0);
    double most = Math.min(schema.path("maximum").asDouble(10), 10);
    return Math.nextUp(least) + (most - least) * (random.nextInt(99) + 1) / 100;
  }

  private String text(JsonNode schema) {
    return switch (schema.path("format").asString("")) {
      case "uuid" -> "0192f0c1-2b7e-7000-8000-00000000000" + random.nextInt(10);
      case "date-time" -> "2026-01-31T12:00:00Z";
      default -> "word" + random.nextInt(1_000);
    };
  }

  private ArrayNode array(JsonNode schema, FuzzTenant tenant, int depth) {
    ArrayNode array = MAPPER.createArrayNode();
    int size = schema.path("minItems").asInt(0) + random.nextInt(4);
    for (int i = 0; i < size && depth < DEEPEST; i++) {
      array.add(sample(schema.path("items"), "", tenant, depth + 1));
    }
    return array;
  }

  private ObjectNode object(JsonNode schema, FuzzTenant tenant, int depth) {
    ObjectNode object = MAPPER.createObjectNode();
    List<String> required =
        schema.path("required").valueStream().map(JsonNode::asString).toList();
    schema.path("properties").propertyStream().forEach(property -> {
      boolean isConst = property.getValue().has("const");
      boolean isChosen = depth < DEEPEST && random.nextInt(4) == 0;
      if (isConst || isChosen || required.contains(property.getKey())) {
        object.set(
            property.getKey(), sample(property.getValue(), property.getKey(), tenant, depth + 1));
      }
    });
    if (schema.path("additionalProperties").isObject() && !schema.has("properties")) {
      object.set("userId", sample(schema.path("additionalProperties"), "", tenant, depth + 1));
    }
    return object;
  }
}
