package io.sluice.server.openapi;

import io.sluice.server.access.Access;
import io.sluice.server.rest.Route;
import io.sluice.server.rest.Routes;
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.node.ObjectNode;

/** What every operation has, so that no file need repeat it: refusals, the tenant, the access it asks for. */
final class Usual {
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
      answer(responses, "429", "tooMany");
      answer(responses, "503", "unavailable");
    }
    if (operation.has("requestBody")) {
      answer(responses, "400", "malformed");
      answer(responses, "413", "tooLarge");
    }
    if (path.contains("{")) {
      answer(responses, "404", "notFound");
    }
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
