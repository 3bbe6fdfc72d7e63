package io.sluice.server.openapi;

import io.sluice.server.access.Access;
import io.sluice.server.rest.Route;
import io.sluice.server.rest.Routes;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.databind.node.ObjectNode;

/** What every operation has, so that no file need repeat it: refusals, the tenant, the access it asks for. */
final class Usual {
  /** What any request may be answered for its form alone. */
  private static final Map<String, String> FORM = new TreeMap<>(Map.of(
      "400", "malformed",
      "405", "methodNotAllowed",
      "408", "tooSlow",
      "413", "tooLarge",
      "414", "uriTooLong",
      "415", "encoded",
      "417", "expectationFailed",
      "431", "headersTooLarge",
      "501", "transferEncoding",
      "505", "httpVersion"));

  private final Routes routes;

  Usual(Routes routes) {
    this.routes = routes;
  }

  void add(String path, String method, ObjectNode operation) {
    ObjectNode responses = operation.withObject("responses");
    boolean open = operation.has("security");
    if (!open) {
      operation
          .withArray("parameters")
          .addObject()
          .put("$ref", "#/components/parameters/sluiceTenant");
      answer(responses, "401", "unauthorized");
      answer(responses, "403", "forbidden");
      // Also of the tenant that the header names.
      answer(responses, "404", "notFound");
      answer(responses, "429", "tooMany");
      answer(responses, "503", "unavailable");
    }
    if (path.contains("{")) {
      answer(responses, "404", "notFound");
    }
    FORM.forEach((status, name) -> answer(responses, status, name));
    answer(responses, "422", "invalid");
    access(path, method).ifPresent(access -> operation.put("x-access", access.name()));
  }

  private Optional<Access> access(String path, String method) {
    return routes.all().stream()
        .filter(route ->
            route.path().equals(path) && route.method().toLowerCase(Locale.ROOT).equals(method))
        .map(Route::access)
        .findFirst();
  }

  private static void answer(ObjectNode responses, String status, String name) {
    if (!responses.has(status)) {
      responses.putObject(status).put("$ref", "#/components/responses/" + name);
    }
  }
}
