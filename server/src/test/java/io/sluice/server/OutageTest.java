package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A target that is down while many jobs wait for it, behind a breaker and a limited rate, on two servers:
 * in the long tier for a minute with 20,000 jobs, otherwise a little. Jobs have the retries of the default.
 */
@Tag("long")
class OutageTest {
  private static final boolean LONG = "long".equals(System.getProperty("sluice.tier"));
  private static final int JOBS = LONG ? 20_000 : 150;
  private static final Duration OUTAGE = Duration.ofMillis(LONG ? 60_000 : 1_500);
  private static final Duration TRIP = Duration.ofMillis(LONG ? 5_000 : 500);
  private static final Duration PATIENCE = Duration.ofMinutes(LONG ? 5 : 2);
  private static final int PROBES = 3;
  private static final int PER_SECOND = LONG ? 500 : 50;
  private static final int BURST = LONG ? 50 : 10;
  /** So many seconds a request may take from its start to here; more where a machine is busy with others. */
  private static final double LATE = LONG ? 0.02 : 1;

  private final AtomicBoolean down = new AtomicBoolean(true);

  private static boolean isOpen(Client admin) {
    return !Expect.ok(200, admin.get("/v1/url-groups/g/circuit-breaker"))
        .path("state")
        .asString()
        .equals("CLOSED");
  }

  private static boolean isIdle(Client admin) {
    return Expect.ok(200, admin.get("/v1/url-groups/g/metrics"))
            .at("/jobs/RUNNING")
            .asInt()
        == 0;
  }

  private static void enqueue(Client admin) {
    int batch = Math.min(JOBS, 5_000);
    String body = IntStream.range(0, batch)
        .mapToObj(i -> "{\"urlGroup\":\"g\",\"path\":\"/in\",\"body\":\"{}\"}")
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
    for (int i = 0; i < JOBS; i += batch) {
      Expect.ok(201, admin.post("/v1/jobs/batch", body));
    }
  }

  private static String group(Target target) {
    return """
        {"name":"g","baseUrl":"%s","rateLimits":{"requestsPerSecond":%d,"burst":%d},
         "circuitBreaker":{"errorThreshold":0.5,"window":"10s","minimumCalls":10,"tripDuration":"%dms",
           "halfOpenMaxRequests":%d}}""".formatted(target.url(), PER_SECOND, BURST, TRIP.toMillis(), PROBES);
  }

  @Test
  void targetThatIsDown_getsProbesAlone_andNoMoreThanItsRateOnceItIsUp() {
    try (Target target = new Target(path -> down.get() ? 500 : 200);
        TestServer server = TestServer.startWithSlots(64, 0.25, "127.0.0.0/8");
        TestServer sibling = server.sibling()) {
      Client admin = server.admin();
      Expect.ok(201, admin.post("/v1/url-groups", group(target)));
      Expect.ok(200, admin.post("/v1/queues/default/pause", null));
      enqueue(admin);
      Expect.ok(200, sibling.admin().post("/v1/queues/default/resume", null));
      Eventually.await("it has opened", PATIENCE, () -> isOpen(admin));
      Eventually.await("what ran has ended", PATIENCE, () -> isIdle(admin));

      long begin = System.nanoTime();
      int before = target.count();
      long end = begin + OUTAGE.toNanos();
      Eventually.await("the outage", PATIENCE, () -> System.nanoTime() - end > 0);
      int probes = target.count() - before;
      long periods = (System.nanoTime() - begin) / TRIP.toNanos() + 1;
      down.set(false);
      long up = System.nanoTime();
      Eventually.await("all is over", PATIENCE, () -> open(server) == 0);
      double seconds = (System.nanoTime() - up) / 1e9;

      System.out.printf(
          "outage of %d s with %d jobs waiting, on two servers: %d requests until the breaker opened, %d"
              + " probes while it was open (at most %d), all over %.1f s after the recovery (%.0f/s),"
              + " at most %d in a second (limit %d, burst %d), %d dead%n",
          OUTAGE.toSeconds(),
          JOBS,
          before,
          probes,
          periods * PROBES,
          seconds,
          JOBS / seconds,
          target.mostInASecond(),
          PER_SECOND,
          BURST,
          dead(server));
      assertThat((long) probes)
          .as("requests while the breaker was open")
          .isLessThanOrEqualTo(periods * PROBES);
      assertThat(dead(server)).as("dead jobs").isZero();
      assertAttempts(server, target);
      assertThat(target.mostInASecond()).as("requests in a second").isLessThanOrEqualTo((int)
          (BURST + PER_SECOND * (1 + LATE)));
    }
  }

  private static long number(TestServer server, String sql) {
    return Long.parseLong(server.query(sql).getFirst());
  }

  private static long open(TestServer server) {
    return number(server, """
        select ((select count(*) from {schema}.ready) + (select count(*) from {schema}.later)
          + (select count(*) from {schema}.running))::text""");
  }

  private static long dead(TestServer server) {
    return number(server, "select count(*)::text from {schema}.done where state <> 5");
  }

  /** A job has been tried once, and once more for each time that it was answered with a failure. */
  private static void assertAttempts(TestServer server, Target target) {
    Map<String, Long> failures = target.hits(hit -> hit.status() != 200).stream()
        .collect(Collectors.groupingBy(Target.Hit::job, Collectors.counting()));
    Map<String, Integer> attempts =
        server.query("select id || ' ' || attempt from {schema}.done").stream()
            .map(row -> row.split(" ", 2))
            .collect(Collectors.toMap(row -> row[0], row -> Integer.parseInt(row[1])));
    assertThat(attempts).hasSize(JOBS);
    assertThat(attempts)
        .allSatisfy((job, tries) -> assertThat((long) tries)
            .as("attempts of " + job)
            .isLessThanOrEqualTo(1 + failures.getOrDefault(job, 0L)));
  }
}
