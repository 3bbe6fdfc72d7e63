package io.sluice.server.fuzz;

import io.sluice.server.Client;
import io.sluice.server.Target;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** All that the lanes of a run share: the server, its document, the tenants, a receiver, and the budget of calls. */
final class FuzzWorld implements AutoCloseable {
  private static final int DELETING = 2;
  private static final int KEEPING = 2;
  private static final List<Role> ROLES = List.of(Role.values());

  private final TestServer server;
  private final ApiDocument document;
  private final Target receiver = new Target(FuzzWorld::status);
  private final List<FuzzTenant> tenants = new ArrayList<>();
  private final AtomicInteger names = new AtomicInteger();
  private final AtomicInteger turns = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private final int budget;

  /** Tenants that lanes make, change and delete as they like; no job of them is counted on. */
  private final KnownThings scratch = new KnownThings();

  FuzzWorld(TestServer server, int budget) {
    this.server = server;
    this.budget = budget;
    Client admin = server.admin();
    this.document = new ApiDocument(admin.withKey(null).get("/openapi.json").body());
    for (int i = 0; i < DELETING + KEEPING; i++) {
      boolean mayDelete = i < DELETING;
      TestTenant made = TestTenant.make(admin, (mayDelete ? "deleting-" : "keeping-") + i);
      tenants.add(new FuzzTenant(made.name(), made.keys(), mayDelete));
    }
    // Where the root admin acts when it names no tenant.
    tenants.add(new FuzzTenant("default", Map.of(), true));
  }

  /** By its path a receiver is good, broken, unwilling, or busy. */
  private static int status(String path) {
    return switch (path) {
      case "/fail" -> 500;
      case "/reject" -> 400;
      case "/busy" -> 429;
      default -> 200;
    };
  }

  TestServer server() {
    return server;
  }

  int port() {
    return Integer.parseInt(server.port());
  }

  ApiDocument document() {
    return document;
  }

  String receiver() {
    return receiver.url();
  }

  int deliveries() {
    return receiver.count();
  }

  List<FuzzTenant> tenants() {
    return tenants;
  }

  KnownThings scratch() {
    return scratch;
  }

  /** A name that nothing has yet. */
  String newName() {
    return "n" + names.incrementAndGet();
  }

  /** Counts a call. */
  void spend() {
    calls.incrementAndGet();
  }

  /** How many draws were made before, by all lanes. */
  int turn() {
    return turns.getAndIncrement();
  }

  int calls() {
    return calls.get();
  }

  boolean isOver() {
    return calls.get() >= budget;
  }

  private FuzzTenant anyTenant(RandomGenerator random) {
    return tenants.get(random.nextInt(tenants.size()));
  }

  /** Any caller, or the root admin in any tenant. */
  FuzzCaller anyCaller(RandomGenerator random) {
    FuzzTenant tenant = anyTenant(random);
    if (!tenant.hasKeys() || random.nextInt(10) == 0) {
      return root(tenant);
    }
    Role role = ROLES.get(random.nextInt(ROLES.size()));
    return new FuzzCaller(role, tenant.key(role), tenant, false);
  }

  /** A caller who may call the operation. */
  FuzzCaller callerFor(ApiOperation operation, RandomGenerator random) {
    FuzzCaller caller = anyCaller(random);
    for (int i = 0; i < 20 && !caller.may(operation); i++) {
      caller = anyCaller(random);
    }
    return caller;
  }

  private static FuzzCaller root(FuzzTenant tenant) {
    return new FuzzCaller(Role.ADMIN, TestServer.ADMIN_KEY, tenant, tenant.hasKeys());
  }

  /** The operator of a tenant with keys. */
  FuzzCaller operator(RandomGenerator random, boolean mustDelete) {
    List<FuzzTenant> fitting = tenants.stream()
        .filter(FuzzTenant::hasKeys)
        .filter(one -> !mustDelete || one.mayDelete())
        .toList();
    FuzzTenant tenant = fitting.get(random.nextInt(fitting.size()));
    return new FuzzCaller(Role.OPERATOR, tenant.key(Role.OPERATOR), tenant, false);
  }

  @Override
  public void close() {
    receiver.close();
  }
}
