package io.sluice.server.fuzz;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** The OpenAPI document that a server serves, read as the list of operations to call. */
final class ApiDocument {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "delete");

  private final JsonNode root;
  private final List<ApiOperation> operations = new ArrayList<>();
  private final Map<String, ApiOperation> byId = new LinkedHashMap<>();

  ApiDocument(JsonNode root) {
    this.root = root;
    root.path("paths")
        .propertyStream()
        .forEach(path -> path.getValue()
            .propertyStream()
            .filter(entry -> METHODS.contains(entry.getKey()))
            .forEach(entry -> add(path.getKey(), path.getValue(), entry)));
  }

  private void add(String path, JsonNode shared, Map.Entry<String, JsonNode> entry) {
    List<ApiParameter> parameters = Stream.of(shared, entry.getValue())
        .flatMap(node -> node.path("parameters").valueStream())
        .map(this::resolve)
        .map(node -> new ApiParameter(
            node.path("name").asString(), node.path("in").asString(), node.path("schema")))
        .toList();
    ApiOperation operation = new ApiOperation(
        entry.getKey().toUpperCase(Locale.ROOT), path, parameters, entry.getValue());
    operations.add(operation);
    byId.put(operation.id(), operation);
  }

  List<ApiOperation> operations() {
    return operations;
  }

  ApiOperation operation(String id) {
    ApiOperation found = byId.get(id);
    if (found == null) {
      throw new IllegalArgumentException("the document has no operation " + id);
    }
    return found;
  }

  /** The operation that another method at the same path is. */
  Optional<ApiOperation> at(String method, String path) {
    return operations.stream()
        .filter(one -> one.method().equals(method) && one.path().equals(path))
        .findFirst();
  }

  /** What a node stands for, where it is a reference. */
  JsonNode resolve(JsonNode node) {
    if (!node.has("$ref")) {
      return node;
    }
    JsonNode found = root.at(node.path("$ref").asString().substring(1));
    if (found.isMissingNode()) {
      throw new IllegalStateException("nothing is at " + node.path("$ref"));
    }
    return resolve(found);
  }

  /** The name of the schema that a node refers to, or nothing. */
  static String name(JsonNode node) {
    String reference = node.path("$ref").asString("");
    return reference.substring(reference.lastIndexOf('/') + 1);
  }
}
