package io.sluice.server.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What the words of the document ask of a body beyond its schema: one of several fields, not both of two. */
final class BodyRules {
  private static final List<String> OF_REQUESTS = List.of(
      "url",
      "urlGroup",
      "path",
      "method",
      "headers",
      "body",
      "bodyBase64",
      "callbackUrl",
      "failureCallbackUrl");
  private static final List<String> IN_BATCHES = List.of("name", "on", "requireHandler");
  private static final Set<String> CHANGES =
      Set.of("changeTenant", "changeQueue", "changeUrlGroup");

  private final RandomGenerator random;
  private final FieldHints hints;

  BodyRules(RandomGenerator random, FieldHints hints) {
    this.random = random;
    this.hints = hints;
  }

  /** A sample of a schema of this name, made to keep the rules. */
  ObjectNode of(String schema, ObjectNode sample, FuzzTenant tenant) {
    switch (schema) {
      case "JobBody" -> job(sample, tenant);
      case "Rate" -> onlyOne(sample, "perSecond", "perMinute", "perHour");
      case "RateLimits" ->
        onlyOne(sample, "requestsPerSecond", "requestsPerMinute", "requestsPerHour");
      case "LimitBody" -> limit(sample);
      case "Levels" -> levels(sample);
      case "Retry" -> sample.remove("on");
      case "HealthCheck" -> sample.put("timeout", "1s").put("interval", "1h").remove("maxLatency");
      case "Priority" -> sample.removeAll();
      default -> {}
    }
    return sample;
  }

  /** The body of an operation, with what the operation itself asks for. */
  JsonNode of(ApiOperation operation, ObjectNode body, FuzzTenant tenant) {
    String id = operation.id();
    if (CHANGES.contains(id)) {
      body.remove("name");
    }
    if (!tenant.mayDelete() && id.endsWith("Queue")) {
      // Jobs of this tenant are looked for at the end.
      body.remove("retention");
    }
    switch (id) {
      case "createTenant", "createQueue" -> body.set("name", hint("name", tenant));
      case "createUrlGroup" ->
        body.set("name", hint("name", tenant)).set("baseUrl", hint("baseUrl", tenant));
      case "createBatch" -> steps(body, tenant);
      case "enqueueAll", "addToBatch" -> body.path("jobs").values().forEach(this::withoutKey);
      case "retryJobs", "cancelJobs" -> bulk(body, tenant);
      case "replayDeadLetters", "deleteDeadLetters" -> filter(body, tenant);
      default -> {}
    }
    return body;
  }

  private JsonNode hint(String field, FuzzTenant tenant) {
    return hints.of(field, tenant).orElseThrow();
  }

  private void withoutKey(JsonNode job) {
    if (job instanceof ObjectNode object) {
      object.remove("idempotencyKey");
    }
  }

  /** A job is a request to an address, one in a group, or work of a type. */
  private void job(ObjectNode job, FuzzTenant tenant) {
    job.remove(IN_BATCHES);
    JsonNode group = hint("urlGroup", tenant);
    int kind = random.nextInt(3);
    if (kind == 0) {
      job.set("url", hint("url", tenant));
      job.remove(List.of("urlGroup", "path", "type", "payload"));
    } else if (kind == 1 && !group.asString().equals("no-group")) {
      job.set("urlGroup", group);
      job.set("path", hint("path", tenant));
      job.remove(List.of("url", "type", "payload"));
    } else {
      job.remove(OF_REQUESTS);
      job.set("type", hint("type", tenant));
    }
    dropNotBoth(job);
    if (random.nextInt(3) > 0) {
      job.remove(List.of("delay", "runAt", "after", "afterPolicy"));
    }
  }

  private static void dropNotBoth(ObjectNode job) {
    dropSecond(job, "delay", "runAt");
    dropSecond(job, "body", "bodyBase64");
    dropSecond(job, "retry", "maxAttempts");
    if (!job.has("after")) {
      job.remove("afterPolicy");
    }
  }

  private static void dropSecond(ObjectNode object, String first, String second) {
    if (object.has(first)) {
      object.remove(second);
    }
  }

  private void onlyOne(ObjectNode rate, String... fields) {
    String kept = fields[random.nextInt(fields.length)];
    for (String field : fields) {
      rate.remove(field);
    }
    rate.put(kept, random.nextInt(10_000) + 10);
  }

  private void limit(ObjectNode limit) {
    limit.remove("scope");
    limit.put("concurrency", random.nextInt(100) + 1);
    if (!limit.path("rate").isNumber()) {
      limit.remove(List.of("per", "burst"));
    }
  }

  private static void levels(ObjectNode levels) {
    if (levels.size() > 0) {
      levels.put("warning", 0.4).put("high", 0.8);
    }
  }

  /** Jobs of a new batch may wait for those before them, by name. */
  private void steps(ObjectNode body, FuzzTenant tenant) {
    List<String> before = new ArrayList<>();
    for (JsonNode one : body.path("jobs").values()) {
      if (one instanceof ObjectNode job) {
        withoutKey(job);
        String name = "s" + before.size();
        job.put("name", name);
        if (!before.isEmpty() && random.nextBoolean()) {
          job.putArray("after").add(before.get(random.nextInt(before.size())));
        }
        before.add(name);
      }
    }
    if (body.path("callback") instanceof ObjectNode callback) {
      withoutKey(callback);
      callback.remove(List.of("after", "afterPolicy"));
    }
    if (random.nextInt(4) > 0) {
      body.remove("parent");
    }
    body.set("name", hint("name", tenant));
  }

  private void bulk(ObjectNode body, FuzzTenant tenant) {
    if (random.nextBoolean()) {
      body.removeAll();
      body.set("ids", hint("ids", tenant));
      return;
    }
    body.remove("ids");
    if (body.has("state")) {
      body.put("state", hints.states());
    }
    filter(body, tenant);
  }

  /** A filter with a value, or everything now and then. */
  private void filter(ObjectNode body, FuzzTenant tenant) {
    body.remove("all");
    if (random.nextInt(20) == 0) {
      body.removeAll();
      body.put("all", true);
    } else if (body.isEmpty()) {
      body.set("type", hint("type", tenant));
    }
  }
}
