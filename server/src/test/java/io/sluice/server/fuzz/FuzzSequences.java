package io.sluice.server.fuzz;

import io.sluice.server.access.Role;
import java.util.random.RandomGenerator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Calls that belong together, as a user's program makes them: make, read, change, claim, end, delete. */
final class FuzzSequences {
  private static final JsonMapper MAPPER = new JsonMapper();

  private final FuzzWorld world;
  private final FuzzLane lane;
  private final RandomGenerator random;

  FuzzSequences(FuzzWorld world, FuzzLane lane, RandomGenerator random) {
    this.world = world;
    this.lane = lane;
    this.random = random;
  }

  void run() {
    switch (random.nextInt(8)) {
      case 0, 1 -> work();
      case 2 -> queue();
      case 3 -> deadLetters();
      case 4 -> batch();
      case 5 -> groupDeletedBesideEnqueues();
      case 6 -> cancelAndRetry();
      default -> pages();
    }
  }

  private static ObjectNode object(String json) {
    return (ObjectNode) MAPPER.readTree(json.replace('\'', '"'));
  }

  private CallDraft draft(FuzzCaller caller, String operation) {
    return new CallDraft(world.document().operation(operation), caller);
  }

  private FuzzAnswer on(FuzzCaller caller, String operation, String id) {
    ApiOperation found = world.document().operation(operation);
    return lane.call(
        "sequence",
        new CallDraft(found, caller).path(found.in("path").getFirst().name(), id));
  }

  private FuzzAnswer on(FuzzCaller caller, String operation, String id, String json) {
    ApiOperation found = world.document().operation(operation);
    return lane.call(
        "sequence",
        new CallDraft(found, caller)
            .path(found.in("path").getFirst().name(), id)
            .body(object(json)));
  }

  private FuzzAnswer send(FuzzCaller caller, String operation, String json) {
    return lane.call("sequence", draft(caller, operation).body(object(json)));
  }

  private String enqueue(FuzzCaller caller, String json) {
    return send(caller, "enqueue", json).json().path("id").asString("none");
  }

  /** A worker's round: claim some, keep them, and say one thing or another about each. */
  private void work() {
    FuzzCaller operator = world.operator(random, false);
    FuzzTenant tenant = operator.tenant();
    FuzzCaller worker = new FuzzCaller(Role.WORKER, tenant.key(Role.WORKER), tenant, false);
    for (int i = 0; i < 2; i++) {
      enqueue(operator, "{'type':'mail.send','payload':{'n':1},'retry':{'initialDelay':'10ms'}}");
    }
    String leaseFor = random.nextInt(4) == 0 ? "1s" : "1m";
    FuzzAnswer claimed = on(
        worker,
        "claim",
        "default",
        "{'worker':'w','max':%d,'leaseFor':'%s'}".formatted(random.nextInt(4) + 1, leaseFor));
    for (JsonNode item : claimed.json().path("items").values()) {
      if (random.nextBoolean()) {
        on(worker, "heartbeat", item.path("lease").asString(), "{'progress':{'percent':50}}");
      }
      end(operator, worker, item.path("lease").asString(), item.at("/job/id").asString());
    }
  }

  private void end(FuzzCaller operator, FuzzCaller worker, String lease, String job) {
    switch (random.nextInt(7)) {
      case 0, 1 -> on(worker, "complete", lease, "{'result':{'ok':true}}");
      case 2 -> on(worker, "fail", lease, "{'error':{'message':'no','class':'SERVER'}}");
      case 3 -> on(worker, "fail", lease, "{'retry':false}");
      case 4 -> {
        on(operator, "cancelJob", job);
        on(worker, "heartbeat", lease, "{}");
        on(worker, "complete", lease, "{'result':1}");
      }
      case 5 -> {
        on(worker, "complete", lease, "{}");
        on(worker, "complete", lease, "{}");
        on(operator, "readJob", job);
      }
      default -> {
        // The worker is gone: the lease runs out.
      }
    }
  }

  private void queue() {
    FuzzCaller caller = world.operator(random, false);
    String name = world.newName();
    send(caller, "createQueue", "{'name':'%s','maxSize':50,'ordered':'key'}".formatted(name));
    String job = enqueue(caller, "{'type':'a','queue':'%s','limitKey':'k1'}".formatted(name));
    on(caller, "pauseQueue", name);
    on(caller, "readQueueMetrics", name);
    on(caller, "explainJob", job);
    on(caller, "changeQueue", name, "{'maxSize':null,'maxConcurrent':3}");
    on(caller, "resumeQueue", name);
    on(caller, "listJobsOfQueue", name);
    on(caller, "purgeQueue", name);
    on(caller, "readJob", job);
    if (caller.tenant().mayDelete()) {
      lane.call("sequence", draft(caller, "deleteQueue").path("id", name).query("force", "true"));
      on(caller, "readQueue", name);
    }
  }

  private void deadLetters() {
    FuzzCaller caller = world.operator(random, false);
    String type = "dead." + world.newName();
    String job = enqueue(caller, "{'type':'%s','maxAttempts':1}".formatted(type));
    JsonNode claimed = on(
            caller, "claim", "default", "{'worker':'w','types':['%s']}".formatted(type))
        .json();
    on(
        caller,
        "fail",
        claimed.at("/items/0/lease").asString("none"),
        "{'error':{'message':'bad'},'retry':false}");
    lane.call("sequence", draft(caller, "listDeadLetters").query("type", type));
    lane.call("sequence", draft(caller, "countDeadLetters").query("type", type));
    on(caller, "explainJob", job);
    if (random.nextBoolean()) {
      on(caller, "replayDeadLetter", job);
      send(caller, "replayDeadLetters", "{'type':'%s'}".formatted(type));
    }
    if (caller.tenant().mayDelete()) {
      on(caller, "deleteDeadLetter", job);
      send(caller, "deleteDeadLetters", "{'type':'%s'}".formatted(type));
    }
  }

  private void batch() {
    FuzzCaller caller = world.operator(random, false);
    String steps = "[{'name':'x','type':'page.read'},{'name':'y','url':'%s/ok','after':['x']}]"
        .formatted(world.receiver());
    JsonNode made = send(
            caller,
            "createBatch",
            "{'name':'b','open':true,'jobs':%s,'callback':{'type':'a','on':'always'}}"
                .formatted(steps))
        .json();
    String id = made.path("id").asString("none");
    on(caller, "addToBatch", id, "{'jobs':[{'type':'page.read'},{'type':'a'}]}");
    on(caller, "readBatch", id);
    on(caller, "readGraph", made.at("/items/1/id").asString("none"));
    on(caller, "closeBatch", id);
    lane.call("sequence", draft(caller, "listJobs").query("batch", id));
    if (random.nextBoolean()) {
      on(caller, "cancelBatch", id);
      on(caller, "addToBatch", id, "{'jobs':[{'type':'a'}]}");
    }
  }

  /** Other lanes enqueue in the group meanwhile: its name is known to all of them. */
  private void groupDeletedBesideEnqueues() {
    FuzzCaller caller = world.operator(random, false);
    String name = world.newName();
    send(
        caller,
        "createUrlGroup",
        "{'name':'%s','baseUrl':'%s','signing':{'scheme':'wstash'}}"
            .formatted(name, world.receiver()));
    String job = "{'urlGroup':'%s','path':'/ok'}".formatted(name);
    enqueue(caller, job);
    enqueue(caller, job.replace("}", ",'delay':'1h'}"));
    on(caller, "rotateUrlGroupSecret", name);
    on(caller, "openUrlGroupBreaker", name);
    on(caller, "resetUrlGroupBreaker", name);
    on(caller, "testUrlGroupAuth", name);
    lane.call("sequence", draft(caller, "deleteUrlGroup").path("id", name).query("force", "true"));
    enqueue(caller, job);
    on(caller, "readUrlGroup", name);
  }

  private void cancelAndRetry() {
    FuzzCaller caller = world.operator(random, false);
    String first = enqueue(caller, "{'type':'a','delay':'1h'}");
    String second = enqueue(caller, "{'type':'a','after':['%s']}".formatted(first));
    on(caller, "explainJob", second);
    lane.call("sequence", draft(caller, "cancelJob").path("id", first).query("cascade", "true"));
    lane.call("sequence", draft(caller, "retryJob").path("id", first).query("cascade", "true"));
    on(caller, "retryJob", second);
    send(caller, "cancelJobs", "{'ids':['%s','%s']}".formatted(first, second));
    send(caller, "retryJobs", "{'ids':['%s','%s']}".formatted(first, second));
    String key = "{'type':'a','idempotencyKey':'%s'}".formatted(world.newName());
    enqueue(caller, key);
    enqueue(caller, key);
  }

  private void pages() {
    FuzzCaller caller = world.operator(random, false);
    String[] lists = {
      "listJobs", "listQueues", "listUrlGroups", "listBatches", "listDeadLetters", "listLimits"
    };
    String list = lists[random.nextInt(lists.length)];
    String cursor = "";
    for (int i = 0; i < 4; i++) {
      CallDraft page = draft(caller, list).query("limit", String.valueOf(random.nextInt(3) + 1));
      cursor = lane.call("sequence", cursor.isEmpty() ? page : page.query("cursor", cursor))
          .json()
          .path("nextCursor")
          .asString("");
      if (cursor.isEmpty()) {
        return;
      }
    }
  }
}
