package io.sluice.server.fuzz;

import io.sluice.server.access.Access;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** One operation of the OpenAPI document: what it takes and what it may answer. */
record ApiOperation(String method, String path, List<ApiParameter> parameters, JsonNode described) {

  String id() {
    return described.path("operationId").asString();
  }

  Access access() {
    return Access.valueOf(described.path("x-access").asString());
  }

  boolean isOpen() {
    return access() == Access.PUBLIC;
  }

  List<ApiParameter> in(String where) {
    return parameters.stream().filter(one -> one.in().equals(where)).toList();
  }

  Optional<JsonNode> body() {
    JsonNode schema = described.at("/requestBody/content/application~1json/schema");
    return schema.isMissingNode() ? Optional.empty() : Optional.of(schema);
  }

  boolean isBodyRequired() {
    return described.at("/requestBody/required").asBoolean(false);
  }

  Optional<JsonNode> response(int status) {
    return Optional.ofNullable(described.path("responses").get(String.valueOf(status)));
  }

  @Override
  public String toString() {
    return id() + " (" + method + " " + path + ")";
  }
}
