package io.sluice.server.fuzz;

import io.sluice.server.access.Access;
import io.sluice.server.fuzz.AnswerJudge.Breach;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;

/** One of the threads that call the server: draws a call by its own random numbers, sends it and has the answer judged. */
final class FuzzLane implements Runnable, AutoCloseable {
  private static final int PATIENCE_MILLIS = 30_000;
  /** Calls that would only slow the run down if they were as frequent as others. */
  private static final Set<String> RARE = Set.of("rotateMasterKey", "createTenant", "readMetrics");

  /** Calls that make what the others are about. */
  private static final List<String> MAKING = List.of(
      "enqueue", "enqueue", "enqueueAll", "createBatch", "addToBatch", "claim", "createUrlGroup");

  private static final Set<Integer> FOREIGN_ANSWERS = Set.of(404, 413, 422, 429);

  private final FuzzWorld world;
  private final FuzzBook book;
  private final AnswerJudge judge;
  private final RandomGenerator random;
  private final FuzzConnection connection;
  private final CallSampler sampler;
  private final CallMutator mutator;
  private final Harvest harvest;
  private final FuzzSequences sequences;
  private final RawTraffic raw;

  FuzzLane(FuzzWorld world, FuzzBook book, AnswerJudge judge, RandomGenerator random) {
    this.world = world;
    this.book = book;
    this.judge = judge;
    this.random = random;
    this.connection = new FuzzConnection(world.port(), PATIENCE_MILLIS);
    this.sampler = new CallSampler(world, random);
    this.mutator = new CallMutator(random);
    this.harvest = new Harvest(world, this);
    this.sequences = new FuzzSequences(world, this, random);
    this.raw = new RawTraffic(world, this, random);
  }

  @Override
  public void run() {
    while (!world.isOver()) {
      int turn = world.turn();
      List<ApiOperation> operations = world.document().operations();
      if (turn < operations.size()) {
        // Each at least once, whatever chance says later.
        valid(operations.get(turn));
      } else {
        draw();
      }
    }
  }

  private void draw() {
    int chance = random.nextInt(100);
    ApiOperation operation = anyOperation();
    if (chance < 36) {
      valid(operation);
    } else if (chance < 84) {
      mutated(operation);
    } else if (chance < 91) {
      foreign(operation);
    } else if (chance < 96) {
      raw.run();
    } else {
      sequences.run();
    }
  }

  private ApiOperation anyOperation() {
    if (random.nextInt(6) == 0) {
      return world.document().operation(MAKING.get(random.nextInt(MAKING.size())));
    }
    List<ApiOperation> operations = world.document().operations();
    ApiOperation operation = operations.get(random.nextInt(operations.size()));
    return RARE.contains(operation.id()) && random.nextInt(20) > 0 ? anyOperation() : operation;
  }

  private FuzzCaller callerOf(ApiOperation operation) {
    FuzzCaller caller =
        random.nextInt(8) == 0 ? world.anyCaller(random) : world.callerFor(operation, random);
    return CallSampler.DELETING.contains(operation.id()) && !caller.tenant().mayDelete()
        ? callerOf(operation)
        : caller;
  }

  private void valid(ApiOperation operation) {
    call("valid", sampler.valid(operation, callerOf(operation)));
  }

  private void mutated(ApiOperation drawn) {
    int kind = random.nextInt(10);
    ApiOperation operation = kind < 4 ? withBody(drawn) : drawn;
    CallDraft draft = sampler.valid(operation, callerOf(operation));
    switch (kind) {
      case 0, 1, 2, 3 -> {
        if (!isWide(draft)) {
          mutator.body(draft);
        }
        call("body", draft);
      }
      case 4, 5 -> {
        mutator.query(draft);
        call("query", draft);
      }
      case 6 -> {
        mutator.path(draft);
        call("path", draft);
      }
      case 7, 8 -> {
        mutator.headers(draft);
        call("headers", draft);
      }
      default -> {
        mutator.method(draft);
        call("method", draft);
      }
    }
  }

  /** An operation that takes a body; now and then one that takes none and is sent one. */
  private ApiOperation withBody(ApiOperation drawn) {
    return drawn.body().isPresent() || random.nextInt(20) == 0 ? drawn : withBody(anyOperation());
  }

  /** A limit on everything must not become a small one by chance. */
  private static boolean isWide(CallDraft draft) {
    String key = draft.pathValue("key");
    return key.equals("global") || key.equals("tenant");
  }

  /** Calls about what another tenant has, by somebody who may do that in his own. */
  private void foreign(ApiOperation operation) {
    FuzzCaller caller = world.operator(random, false);
    FuzzTenant owner = world.tenants().get(random.nextInt(world.tenants().size()));
    if (owner == caller.tenant() || !isOwned(operation)) {
      return;
    }
    CallDraft draft = sampler.about(operation, caller, owner);
    if (draft.pathValue("id").equals("default")) {
      return;
    }
    FuzzAnswer answer = call("foreign", draft);
    if (answer.status() != 0 && !FOREIGN_ANSWERS.contains(answer.status())) {
      fault(Oracle.FOREIGN, draft, answer, "another tenant's thing is " + answer.status());
    }
  }

  private static boolean isOwned(ApiOperation operation) {
    return !operation.in("path").isEmpty()
        && operation.access() != Access.ADMIN
        && operation.access() != Access.MONITOR
        && !operation.path().startsWith("/v1/limits/")
        && !operation.path().startsWith("/v1/circuit-breakers/");
  }

  /** Sends a call, has its answer judged, and learns what it made. */
  FuzzAnswer call(String kind, CallDraft draft) {
    world.spend();
    HttpText request = draft.render();
    FuzzAnswer answer = connection.send(request);
    ApiOperation operation = world
        .document()
        .at(request.isHead() ? "GET" : draft.method(), draft.operation().path())
        .orElse(draft.operation());
    book.answered(operation.id(), kind, answer);
    List<Breach> breaches = request.isHead()
        ? judge.judgeHead(operation, answer)
        : judge.judge(operation, draft.role(), answer);
    breaches.forEach(one -> fault(one.oracle(), draft, answer, one.detail()));
    if (answer.isGood()) {
      harvest.learn(operation, draft, answer);
    }
    return answer;
  }

  /** Has an answer judged that did not come over this lane's own connection. */
  void judged(ApiOperation operation, FuzzCaller caller, String request, FuzzAnswer answer) {
    world.spend();
    book.answered(operation.id(), "raw", answer);
    judge
        .judge(operation, caller.role(), answer)
        .forEach(one -> book.add(new FuzzFault(
            one.oracle(), operation.toString(), request, answer.toString(), one.detail())));
    if (answer.status() == 201 && operation.id().equals("enqueue")) {
      caller.tenant().take(answer.json().path("id").asString(""));
    }
  }

  void fault(Oracle oracle, CallDraft draft, FuzzAnswer answer, String detail) {
    FuzzCaller caller = draft.caller();
    book.add(new FuzzFault(
        oracle,
        draft.operation().toString(),
        draft.render().asCurl() + " # " + caller.role() + " of "
            + caller.tenant().name(),
        answer.toString(),
        detail));
  }

  void fault(FuzzFault fault) {
    book.add(fault);
  }

  CallSampler sampler() {
    return sampler;
  }

  @Override
  public void close() {
    connection.close();
  }
}
