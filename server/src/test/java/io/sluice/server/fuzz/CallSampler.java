package io.sluice.server.fuzz;

import io.sluice.server.fuzz.KnownThings.Kind;
import java.util.Set;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Valid calls of an operation by a caller, about things that there are. */
final class CallSampler {
  /** Operations that take things away, so that a tenant that keeps its jobs does not call them. */
  static final Set<String> DELETING =
      Set.of("deleteTenant", "deleteQueue", "deleteDeadLetter", "deleteDeadLetters");
  /** Operations on tenants that are not in the cast. */
  private static final Set<String> ON_SCRATCH = Set.of("deleteTenant", "changeTenant");

  private static final JsonMapper MAPPER = new JsonMapper();

  private final FuzzWorld world;
  private final RandomGenerator random;
  private final FieldHints hints;
  private final BodySampler bodies;

  CallSampler(FuzzWorld world, RandomGenerator random) {
    this.world = world;
    this.random = random;
    this.hints = new FieldHints(world, random);
    this.bodies = new BodySampler(world.document(), random, hints);
  }

  /** A call with ids of the caller's own tenant. */
  CallDraft valid(ApiOperation operation, FuzzCaller caller) {
    return about(operation, caller, caller.tenant());
  }

  /** A call with ids of another tenant's things. */
  CallDraft about(ApiOperation operation, FuzzCaller caller, FuzzTenant owner) {
    CallDraft draft = new CallDraft(operation, caller);
    for (ApiParameter one : operation.in("path")) {
      draft.path(one.name(), pathValue(operation, one.name(), owner));
    }
    for (ApiParameter one : operation.in("query")) {
      if (random.nextInt(6) == 0) {
        query(draft, one, caller.tenant());
      }
    }
    for (ApiParameter one : operation.in("header")) {
      if (!one.name().equals("Sluice-Tenant") && random.nextInt(4) == 0) {
        draft.header(one.name(), bodies.parameter(one, caller.tenant()));
      }
    }
    if (operation.body().isPresent() && (operation.isBodyRequired() || random.nextInt(4) > 0)) {
      draft.body(body(operation, draft, caller.tenant()));
    }
    return draft;
  }

  private JsonNode body(ApiOperation operation, CallDraft draft, FuzzTenant tenant) {
    // A limit on everything would slow down the run and not only this tenant.
    return operation.id().equals("setLimit") && isWide(draft.pathValue("key"))
        ? MAPPER.createObjectNode().put("concurrency", 100_000)
        : bodies.body(operation, tenant);
  }

  private static boolean isWide(String key) {
    return key.equals("global") || key.equals("tenant");
  }

  private void query(CallDraft draft, ApiParameter parameter, FuzzTenant tenant) {
    switch (parameter.name()) {
      case "metadata.{field}" -> draft.query("metadata.userId", "word" + random.nextInt(50));
      case "cursor" ->
        tenant.things().any(Kind.CURSOR, random).ifPresent(one -> draft.query("cursor", one));
      case "actor", "action" -> draft.query(parameter.name(), "queue.create");
      case "q" -> draft.query("q", "text");
      case "all" -> {
        if (random.nextInt(10) == 0) {
          draft.query("all", "true");
        }
      }
      default -> draft.query(parameter.name(), bodies.parameter(parameter, tenant));
    }
  }

  private String pathValue(ApiOperation operation, String name, FuzzTenant owner) {
    if (operation.path().startsWith("/v1/tenants/{id}") && name.equals("id")) {
      return ON_SCRATCH.contains(operation.id())
          ? world.scratch().any(Kind.TENANT, random).orElse("no-tenant")
          : owner.name();
    }
    return switch (name) {
      case "keyId" -> hints.id(owner, Kind.KEY);
      case "jobId" -> hints.id(owner, Kind.JOB);
      case "lease" -> hints.id(owner, Kind.LEASE);
      case "key" -> owner.things().any(Kind.LIMIT, random).orElseGet(this::newLimit);
      case "type" -> FieldHints.TYPES.get(random.nextInt(FieldHints.TYPES.size()));
      default -> id(operation.path(), owner);
    };
  }

  private String newLimit() {
    return switch (random.nextInt(6)) {
      case 0 -> "global";
      case 1 -> "tenant";
      case 2 -> "queue:default";
      case 3 -> "type:" + FieldHints.TYPES.get(random.nextInt(FieldHints.TYPES.size()));
      case 4 -> "key:k*";
      default -> "key:k" + random.nextInt(8);
    };
  }

  private String id(String path, FuzzTenant owner) {
    if (path.startsWith("/v1/queues/")) {
      return owner.things().any(Kind.QUEUE, random).orElse("default");
    }
    if (path.startsWith("/v1/url-groups/")) {
      return owner.things().any(Kind.GROUP, random).orElse("no-group");
    }
    return hints.id(owner, path.startsWith("/v1/batches/") ? Kind.BATCH : Kind.JOB);
  }
}
