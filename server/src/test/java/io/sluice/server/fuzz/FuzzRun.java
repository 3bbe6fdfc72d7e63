package io.sluice.server.fuzz;

import io.sluice.server.AccessSettings;
import io.sluice.server.Client;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import io.sluice.server.rest.LogLines;
import io.sluice.server.secret.MasterKey;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import tools.jackson.databind.JsonNode;

/** A run of the fuzzer against a server of its own: the calls, and what must hold after them. */
final class FuzzRun {
  private static final int FRESH_JOBS = 20;
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final long PROGRESS_SECONDS = 10;

  /** How much, by how many threads, and how long an answer may take. */
  record Size(int calls, int lanes, Duration bound, boolean isLong) {}

  private final long seed;
  private final Size size;
  private final FuzzBook book;

  FuzzRun(long seed, Size size) {
    this.seed = seed;
    this.size = size;
    this.book = new FuzzBook(seed);
  }

  /** Does all of it, and returns the book with what was found. */
  FuzzBook run(Path folder) throws Exception {
    long start = System.nanoTime();
    try (LogLines log = new LogLines()) {
      TestServer server = server(folder);
      int deadlocks = deadlocks(server);
      List<ApiOperation> operations;
      try (server;
          FuzzWorld world = new FuzzWorld(server, size.calls())) {
        operations = world.document().operations();
        lanes(world);
        System.out.printf(
            "fuzz: seed %d, %d calls and %d deliveries in %.1f s%n",
            seed, world.calls(), world.deliveries(), (System.nanoTime() - start) / 1e9);
        server.admin().delete("/v1/limits/global");
        world.tenants().stream().filter(one -> !one.mayDelete()).forEach(one -> count(world, one));
        aftermath(world);
      }
      // Without the server's connections all that the database counted is written.
      if (deadlocks(server) > deadlocks) {
        book.add(
            FuzzFault.of(Oracle.DEADLOCK, "PostgreSQL ended " + (deadlocks(server) - deadlocks)));
      }
      log.troubles().forEach(line -> book.add(FuzzFault.of(Oracle.LOG, line)));
      book.checkCoverage(operations, size.isLong());
      System.out.println("fuzz: " + book.figures());
      System.out.println("fuzz: " + book.coverage(operations));
    }
    return book;
  }

  private static TestServer server(Path folder) throws IOException {
    Path file = folder.resolve("master.key");
    Files.writeString(file, TestServer.MASTER_KEY + "\n");
    return TestServer.startInOwnDatabase(
        AccessSettings.of(TestServer.ADMIN_KEY).withLoginFailures(1_000_000),
        MasterKey.inFile(file, Files.readString(file)));
  }

  private static int deadlocks(TestServer server) {
    return Integer.parseInt(server
        .query("select deadlocks from pg_stat_database where datname = current_database()")
        .getFirst());
  }

  private void lanes(FuzzWorld world) throws Exception {
    AnswerJudge judge = new AnswerJudge(world.document(), size.bound().toMillis());
    SplittableRandom random = new SplittableRandom(seed);
    List<FuzzLane> lanes = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(size.lanes())) {
      List<Future<?>> runs = new ArrayList<>();
      for (int i = 0; i < size.lanes(); i++) {
        FuzzLane lane = new FuzzLane(world, book, judge, random.split());
        lanes.add(lane);
        runs.add(threads.submit(lane));
      }
      for (Future<?> run : runs) {
        await(run, world);
      }
    } finally {
      lanes.forEach(FuzzLane::close);
    }
  }

  /** Waits for a lane, and shows how far all of them are. */
  private void await(Future<?> run, FuzzWorld world) throws Exception {
    while (true) {
      try {
        run.get(PROGRESS_SECONDS, TimeUnit.SECONDS);
        return;
      } catch (TimeoutException e) {
        System.out.printf(
            "fuzz: %d of %d calls, %d kinds of faults%n",
            world.calls(), size.calls(), book.faults().size());
      }
    }
  }

  /** Every job that was taken is in the lists of its tenant. */
  private void count(FuzzWorld world, FuzzTenant tenant) {
    Client client = world.server().admin().withKey(tenant.key(Role.OPERATOR));
    Set<String> found = new HashSet<>();
    String cursor = "";
    do {
      JsonNode page = client.get("/v1/jobs?limit=250" + cursor).body();
      page.path("items").values().forEach(job -> found.add(job.path("id").asString()));
      cursor = page.path("nextCursor").isString()
          ? "&cursor=" + CallDraft.escaped(page.path("nextCursor").asString())
          : "";
    } while (!cursor.isEmpty());
    List<String> missing = missing(tenant.taken(), found).stream()
        .filter(id -> client.get("/v1/jobs/" + id).status() != 200)
        .toList();
    if (!missing.isEmpty()) {
      book.add(FuzzFault.of(
          Oracle.LOST_JOB,
          missing.size() + " of " + tenant.taken().size() + " jobs of " + tenant.name()
              + " are gone: " + missing.stream().limit(5).toList()));
    }
    System.out.printf(
        "fuzz: %s was promised %d jobs, %d are listed%n",
        tenant.name(), tenant.taken().size(), found.size());
  }

  /** The ids of those that were taken and not found. */
  static Set<String> missing(Set<String> taken, Set<String> found) {
    Set<String> missing = new HashSet<>(taken);
    missing.removeAll(found);
    return missing;
  }

  /** Somebody new has twenty requests delivered. */
  private void aftermath(FuzzWorld world) {
    TestTenant fresh = TestTenant.make(world.server().admin(), "fresh");
    Client client = fresh.as(Role.PRODUCER);
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < FRESH_JOBS; i++) {
      jobs.add(
          client.post("/v1/jobs", "{\"url\":\"" + world.receiver() + "/ok\"}").text("/id"));
    }
    try {
      Eventually.await(
          "20 jobs of a fresh tenant are done",
          PATIENCE,
          () -> jobs.stream()
              .allMatch(id -> client.get("/v1/jobs/" + id).text("/state").equals("COMPLETED")));
    } catch (AssertionError e) {
      book.add(FuzzFault.of(Oracle.AFTERMATH, String.valueOf(e.getMessage())));
    }
  }
}
