package io.sluice.server;

import io.sluice.server.rest.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An acceptable body for every route that takes one, for the tests that call all routes. A new route
 * with a body needs a line here. {@code ${name}} stands for a name that is free, {@code ${secret}} for
 * data that only its tenant may see, {@code ${queues}} and the like for a thing of that kind.
 */
final class Examples {
  /** For routes that do something without being told more. */
  private static final String NOTHING = "";

  private static final Map<String, String> BODIES = Map.ofEntries(
      Map.entry("POST /v1/tenants", "{\"name\": \"${name}\"}"),
      Map.entry("PUT /v1/tenants/{id}", "{\"maxConcurrent\": 5}"),
      Map.entry("POST /v1/tenants/{id}/keys", "{\"name\": \"${secret}\", \"role\": \"viewer\"}"),
      Map.entry("POST /v1/master-key/rotate", NOTHING),
      Map.entry("POST /v1/queues", "{\"name\": \"${name}\"}"),
      Map.entry("PUT /v1/queues/{id}", "{\"maxConcurrent\": 5}"),
      Map.entry("PUT /v1/limits/{key}", "{\"concurrency\": 5}"),
      Map.entry("POST /v1/queues/{id}/pause", NOTHING),
      Map.entry("POST /v1/queues/{id}/resume", NOTHING),
      Map.entry("POST /v1/queues/{id}/purge", NOTHING),
      Map.entry(
          "POST /v1/queues/{id}/claim", "{\"worker\": \"w\", \"max\": 1, \"leaseFor\": \"60s\"}"),
      Map.entry("POST /v1/leases/{lease}/heartbeat", "{\"extendBy\": \"60s\"}"),
      Map.entry("POST /v1/leases/{lease}/complete", "{\"result\": 1}"),
      Map.entry("POST /v1/leases/{lease}/fail", "{\"error\": {\"message\": \"no\"}}"),
      Map.entry(
          "POST /v1/jobs",
          "{\"queue\": \"${queues}\", \"type\": \"nobody.does\", \"payload\": {\"a\": \"${secret}\"}}"),
      Map.entry(
          "POST /v1/jobs/batch",
          "{\"jobs\": [{\"queue\": \"${queues}\", \"type\": \"nobody.does\", \"payload\": {}}]}"),
      Map.entry("POST /v1/jobs/{id}/retry", NOTHING),
      Map.entry("POST /v1/jobs/retry", "{\"type\": \"nobody.does\"}"),
      Map.entry("POST /v1/jobs/cancel", "{\"type\": \"nobody.knows\"}"),
      Map.entry(
          "POST /v1/batches",
          "{\"name\": \"${secret}\", \"open\": true, \"jobs\": [{\"queue\": \"${queues}\","
              + " \"type\": \"nobody.does\"}]}"),
      Map.entry(
          "POST /v1/batches/{id}/jobs",
          "{\"jobs\": [{\"queue\": \"${queues}\", \"type\": \"nobody.does\"}]}"),
      Map.entry("POST /v1/batches/{id}/close", NOTHING),
      Map.entry("POST /v1/dlq/{jobId}/replay", NOTHING),
      Map.entry("POST /v1/dlq/replay", "{\"type\": \"nobody.does\"}"),
      Map.entry(
          "POST /v1/url-groups",
          "{\"name\": \"${name}\", \"description\": \"${secret}\", \"baseUrl\": \"https://example.com\"}"),
      Map.entry("PUT /v1/url-groups/{id}", "{\"description\": \"changed\"}"),
      Map.entry("POST /v1/url-groups/{id}/auth", "{\"type\": \"bearer\", \"token\": \"t\"}"),
      Map.entry("POST /v1/url-groups/{id}/auth/test", "{\"method\": \"HEAD\", \"path\": \"/\"}"),
      Map.entry("PUT /v1/url-groups/{id}/rate-limits", "{\"requestsPerSecond\": 5}"),
      Map.entry("POST /v1/url-groups/{id}/circuit-breaker/reset", NOTHING),
      Map.entry("POST /v1/url-groups/{id}/circuit-breaker/open", NOTHING),
      Map.entry("PUT /v1/circuit-breakers/{type}", "{\"minimumCalls\": 5}"),
      Map.entry("POST /v1/circuit-breakers/{type}/reset", NOTHING),
      Map.entry("POST /v1/circuit-breakers/{type}/open", NOTHING),
      Map.entry("POST /v1/url-groups/{id}/secrets/rotate", NOTHING));

  /** Bodies that name another thing of the tenant's, beside those that the first example names. */
  private static final Map<String, List<String>> REFERENCES = Map.of(
      "POST /v1/jobs",
      List.of(
          "{\"urlGroup\": \"${url-groups}\", \"path\": \"/x\"}",
          "{\"type\": \"nobody.does\", \"after\": [\"${jobs}\"]}",
          "{\"type\": \"nobody.does\", \"after\": [{\"id\": \"${batches}\", \"name\": \"b\"}]}"),
      "POST /v1/jobs/batch",
      List.of("{\"jobs\": [{\"type\": \"nobody.does\", \"after\": [\"${batches}\"]}]}"),
      "POST /v1/batches",
      List.of(
          "{\"name\": \"b\", \"jobs\": [{\"type\": \"nobody.does\", \"after\": [\"${jobs}\"]}]}",
          "{\"name\": \"b\", \"parent\": \"${batches}\", \"jobs\": []}",
          "{\"name\": \"b\", \"jobs\": [], \"callback\": {\"queue\": \"${queues}\", \"type\": \"t\"}}",
          "{\"name\": \"b\", \"jobs\": [{\"urlGroup\": \"${url-groups}\", \"path\": \"/x\"}]}"),
      "POST /v1/batches/{id}/jobs",
      List.of(
          "{\"jobs\": [{\"type\": \"nobody.does\", \"after\": [\"${jobs}\"]}]}",
          "{\"lease\": \"${leases}\", \"jobs\": [{\"type\": \"nobody.does\"}]}"),
      "POST /v1/queues",
      List.of("{\"name\": \"${name}\", \"urlGroup\": \"${url-groups}\"}"),
      "PUT /v1/queues/{id}",
      List.of("{\"urlGroup\": \"${url-groups}\"}"));

  /** What answers something else each time, though nothing was done to it. */
  private static final Set<String> RESTLESS = Set.of(
      "GET /v1/tenants/{id}/usage",
      "GET /v1/stats",
      "GET /v1/master-key",
      "GET /v1/workers",
      "GET /v1/audit",
      "GET /v1/dlq/stats",
      "GET /v1/queues/{id}/metrics",
      "GET /v1/url-groups/{id}/metrics",
      "GET /v1/url-groups/{id}/health",
      "GET /v1/url-groups/{id}/deliveries",
      "GET /v1/jobs/{id}/explain");

  /** Routes whose path names no thing: whoever calls them makes one of its own by that name. */
  private static final Set<String> NAMING = Set.of(
      "PUT /v1/circuit-breakers/{type}",
      "DELETE /v1/circuit-breakers/{type}",
      "POST /v1/circuit-breakers/{type}/reset",
      "POST /v1/circuit-breakers/{type}/open");

  private Examples() {}

  static String of(Route route) {
    return route.method() + " " + route.path();
  }

  static boolean takesBody(Route route) {
    return route.method().equals("POST") || route.method().equals("PUT");
  }

  static boolean isKnown(Route route) {
    return BODIES.containsKey(of(route));
  }

  /** The example for a route, or none where it takes no body. */
  static Optional<String> body(Route route) {
    return Optional.ofNullable(BODIES.get(of(route))).filter(body -> !body.isEmpty());
  }

  static List<String> references(Route route) {
    return REFERENCES.getOrDefault(of(route), List.of());
  }

  static boolean isNaming(Route route) {
    return NAMING.contains(of(route));
  }

  static boolean isRestless(Route route) {
    return RESTLESS.contains(of(route));
  }
}
