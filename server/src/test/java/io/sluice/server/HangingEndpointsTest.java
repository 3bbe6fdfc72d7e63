package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Endpoints of which a tenth takes requests and does not answer. Each endpoint is a URL group; work comes
 * in for all of them alike, the hanging ones too, at a load that is well below what the server can do. In
 * the long tier a hundred endpoints that get two requests a second each and answer in 20 ms, of which ten
 * hang for 30 s; otherwise twenty, two of which hang until the others have got everything.
 */
@Tag("long")
class HangingEndpointsTest {
  private static final boolean LONG = "long".equals(System.getProperty("sluice.tier"));
  private static final int ENDPOINTS = LONG ? 100 : 20;
  private static final int HANGING = ENDPOINTS / 10;
  private static final int SLOTS = 64;
  private static final Duration ANSWERS_IN = Duration.ofMillis(20);
  private static final Duration HANGS_FOR = Duration.ofSeconds(30);
  private static final Duration ROUND = Duration.ofMillis(LONG ? 500 : 250);
  private static final Duration BEFORE = Duration.ofSeconds(LONG ? 30 : 1);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final CountDownLatch hanging = new CountDownLatch(1);
  private final CountDownLatch mended = new CountDownLatch(1);
  private final AtomicInteger rounds = new AtomicInteger();

  private int answer(String path) {
    boolean hangs = hanging.getCount() == 0 && number(path) < HANGING;
    if (hangs) {
      try {
        mended.await(HANGS_FOR.toMillis(), TimeUnit.MILLISECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    } else {
      LockSupport.parkNanos(ANSWERS_IN.toNanos());
    }
    return 200;
  }

  private static int number(String path) {
    return Integer.parseInt(path.substring("/e".length()));
  }

  private static boolean isWell(Target.Hit hit) {
    return number(hit.path()) >= HANGING;
  }

  private static void makeGroups(Client admin, Target target) {
    for (int i = 0; i < ENDPOINTS; i++) {
      Expect.ok(
          201,
          admin.post(
              "/v1/url-groups",
              "{\"name\":\"g%d\",\"baseUrl\":\"%s\"}".formatted(i, target.url())));
    }
  }

  /** One job for each endpoint. */
  private void enqueue(Client admin) {
    String jobs = IntStream.range(0, ENDPOINTS)
        .mapToObj(i -> "{\"urlGroup\":\"g%d\",\"path\":\"/e%d\",\"body\":\"{}\"}".formatted(i, i))
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
    Expect.ok(201, admin.post("/v1/jobs/batch", jobs));
    rounds.incrementAndGet();
  }

  private static void pass(Duration time) {
    long end = System.nanoTime() + time.toNanos();
    Eventually.await("time", PATIENCE, () -> System.nanoTime() - end > 0);
  }

  /** How many requests the endpoints that are well had in the time from then to then, by the second. */
  private static double perSecond(Target target, long from, long to) {
    long hits =
        target.hits(hit -> isWell(hit) && hit.at() >= from && hit.at() < to).size();
    return hits * 1e9 / (to - from);
  }

  @Test
  void endpointsThatAnswer_getAllTheirWork_whileATenthHangs() {
    try (Target target = new Target(this::answer);
        TestServer server = TestServer.startWithSlots(SLOTS, 0.25, "127.0.0.0/8");
        ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor()) {
      Client admin = server.admin();
      makeGroups(admin, target);
      enqueue(admin);
      Eventually.await("a first round", PATIENCE, () -> target.count() >= ENDPOINTS);
      var traffic = clock.scheduleAtFixedRate(
          () -> enqueue(admin), 0, ROUND.toMillis(), TimeUnit.MILLISECONDS);
      pass(ROUND.multipliedBy(4));
      long begin = System.nanoTime();
      pass(BEFORE);
      hanging.countDown();
      long harmed = System.nanoTime();
      pass(LONG ? HANGS_FOR : BEFORE);
      long end = System.nanoTime();
      assertThat(traffic.isDone()).as("every enqueue was taken").isFalse();
      clock.shutdown();
      Eventually.await("no more enqueues", PATIENCE, clock::isTerminated);

      double before = perSecond(target, begin, harmed);
      double during = perSecond(target, harmed, end);
      System.out.printf(
          "%d of %d endpoints hang: the others, offered %.0f/s, had %.1f/s before and %.1f/s during (%.1f %%),"
              + " with %d slots%n",
          HANGING,
          ENDPOINTS,
          (ENDPOINTS - HANGING) * 1e9 / ROUND.toNanos(),
          before,
          during,
          100 * during / before,
          SLOTS);
      if (LONG) {
        assertThat(during).as("requests a second").isGreaterThanOrEqualTo(0.95 * before);
      }
      int all = rounds.get() * (ENDPOINTS - HANGING);
      Eventually.await(
          "all for the others", PATIENCE, () -> target.hits(hit -> isWell(hit)).size() >= all);
      mended.countDown();
      Eventually.await(
          "all", PATIENCE, () -> target.hits(hit -> true).size() >= rounds.get() * ENDPOINTS);
    }
  }
}
