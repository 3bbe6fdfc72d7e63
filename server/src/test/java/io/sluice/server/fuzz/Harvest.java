package io.sluice.server.fuzz;

import io.sluice.server.fuzz.KnownThings.Kind;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Learns from answers what was made, promised, handed out and deleted. */
final class Harvest {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final FuzzWorld world;
  private final FuzzLane lane;

  Harvest(FuzzWorld world, FuzzLane lane) {
    this.world = world;
    this.lane = lane;
  }

  void learn(ApiOperation operation, CallDraft draft, FuzzAnswer answer) {
    FuzzTenant tenant = draft.caller().tenant();
    KnownThings things = tenant.things();
    JsonNode json = answer.json();
    things.add(Kind.CURSOR, json.path("nextCursor").asString(""));
    switch (operation.id()) {
      case "createQueue" -> things.add(Kind.QUEUE, json.path("name").asString(""));
      case "createUrlGroup" -> things.add(Kind.GROUP, json.path("name").asString(""));
      case "createTenant" -> world.scratch().add(Kind.TENANT, json.path("name").asString(""));
      case "createKey" -> things.add(Kind.KEY, json.path("id").asString(""));
      case "setLimit" -> things.add(Kind.LIMIT, json.path("key").asString(""));
      case "deleteQueue" -> things.remove(Kind.QUEUE, draft.pathValue("id"));
      case "deleteUrlGroup" -> things.remove(Kind.GROUP, draft.pathValue("id"));
      case "deleteTenant" -> world.scratch().remove(Kind.TENANT, draft.pathValue("id"));
      case "enqueue", "enqueueAll", "createBatch", "addToBatch" -> jobs(tenant, answer, json);
      case "claim" -> json.path("items").values().forEach(item -> handedOut(draft, item));
      default -> {}
    }
  }

  private static void jobs(FuzzTenant tenant, FuzzAnswer answer, JsonNode json) {
    if (answer.status() != 201) {
      return;
    }
    if (json.has("items")) {
      json.path("items")
          .valueStream()
          .filter(item -> !item.path("duplicate").asBoolean(false))
          .forEach(item -> tenant.take(item.path("id").asString()));
    }
    if (json.has("callback")) {
      tenant.things().add(Kind.BATCH, json.path("id").asString());
      if (json.path("callback").isString()) {
        tenant.take(json.path("callback").asString());
      }
    }
    if (json.has("state")) {
      tenant.take(json.path("id").asString());
    }
  }

  /** When a job comes again, the lease before must be over: both are asked. */
  private void handedOut(CallDraft claim, JsonNode item) {
    String lease = item.path("lease").asString();
    String job = item.at("/job/id").asString();
    String before = claim.caller().tenant().handOut(job, lease);
    if (before.isEmpty() || before.equals(lease)) {
      return;
    }
    if (lives(claim.caller(), before) && lives(claim.caller(), lease)) {
      lane.fault(
          Oracle.TWO_LEASES,
          claim,
          new FuzzAnswer(200, java.util.Map.of(), item.toString(), 0),
          "job " + job + " is under the leases " + before + " and " + lease);
    }
  }

  private boolean lives(FuzzCaller caller, String lease) {
    CallDraft heartbeat = new CallDraft(world.document().operation("heartbeat"), caller)
        .path("lease", lease)
        .body(MAPPER.createObjectNode());
    FuzzAnswer answer = lane.call("sequence", heartbeat);
    return answer.status() == 200 && !answer.json().path("cancelRequested").asBoolean(true);
  }
}
