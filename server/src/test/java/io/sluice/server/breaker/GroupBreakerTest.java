package io.sluice.server.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Expect;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.Rig;
import io.sluice.server.TestServer;
import io.sluice.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Receivers that are down, or have too much, and what two servers send them meanwhile. */
class GroupBreakerTest {
  private static final int PROBES = 2;
  private static final String PATIENT =
      ",\"retry\":{\"maxAttempts\":100,\"initialDelay\":\"20ms\",\"maxDelay\":\"50ms\"}";

  private static Rig rig;
  private static TestServer sibling;

  @BeforeAll
  static void start() {
    rig = new Rig();
    sibling = rig.server.sibling();
  }

  @AfterAll
  static void stop() {
    sibling.close();
    rig.close();
  }

  private static JsonNode breaker(String group) {
    return Expect.ok(200, rig.admin.get("/v1/url-groups/" + group + "/circuit-breaker"));
  }

  /** How a group stands, as the list of all groups tells it. */
  private static JsonNode standing(String group) {
    return Expect.ok(200, rig.admin.get("/v1/url-groups"))
        .path("items")
        .valueStream()
        .filter(one -> one.path("name").asString().equals(group))
        .findFirst()
        .orElseThrow()
        .path("standing");
  }

  private static void awaitState(String group, String state) {
    Eventually.await(
        group + " is " + state, () -> breaker(group).path("state").asString().equals(state));
  }

  private static long version(String group) {
    return Long.parseLong(rig.server
        .query("select version from {schema}.breaker where name = '" + group + "'")
        .getFirst());
  }

  private static int running(String group) {
    return Expect.ok(200, rig.admin.get("/v1/url-groups/" + group + "/metrics"))
        .at("/jobs/RUNNING")
        .asInt();
  }

  @Test
  void receiverThatIsDown_getsProbesAlone_andEverythingOnceItIsUp() {
    AtomicBoolean down = new AtomicBoolean(true);
    rig.receiver.answer("/down", got -> Reply.of(down.get() ? 500 : 200));
    rig.group("down", PATIENT + """
            ,"circuitBreaker":{"errorThreshold":0.5,"window":"10s","minimumCalls":4,
             "tripDuration":"400ms","halfOpenMaxRequests":%d}""".formatted(PROBES));
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      jobs.add(rig.enqueue("down", "/down", ""));
    }
    Eventually.await(
        "it has opened", () -> !breaker("down").path("state").asString().equals("CLOSED"));
    Eventually.await("what ran has ended", () -> running("down") == 0);
    long versionBefore = version("down");
    int before = rig.receiver.got("/down").size();
    Eventually.await("some periods", () -> version("down") >= versionBefore + 6);
    int sent = rig.receiver.got("/down").size() - before;
    // A period begins with one version and ends with another; one may be under way at both ends.
    long periods = (version("down") - versionBefore) / 2 + 1;
    assertThat(sent).isPositive().isLessThanOrEqualTo((int) periods * PROBES);

    down.set(false);
    int attempts = 0;
    for (String job : jobs) {
      JsonNode done = rig.await(job, "COMPLETED");
      attempts += done.path("attempt").asInt();
    }
    assertThat(rig.receiver.got("/down"))
        .as("a request for every attempt; a probe that failed has spent none")
        .hasSizeGreaterThanOrEqualTo(attempts + sent);
    awaitState("down", "CLOSED");
  }

  @Test
  void answers429OfSeveralLanes_holdTheWholeGroup_onBothServers() {
    AtomicBoolean busy = new AtomicBoolean(true);
    rig.receiver.answer(
        "/busy", got -> busy.get() ? Reply.of(429).with("Retry-After", "3600") : Reply.of(200));
    rig.group("busy", PATIENT);
    rig.group("idle-beside", "");
    String first = rig.enqueue("busy", "/busy", ",\"limitKey\":\"first\"");
    assertThat(rig.await(first, "RETRYING").path("attempt").asInt()).isEqualTo(1);
    assertThat(breaker("busy").path("heldUntil").isNull())
        .as("one is its job's alone")
        .isTrue();
    enqueueLanes("busy", "/busy");
    Eventually.await("it is held", () -> !breaker("busy").path("heldUntil").isNull());
    assertThat(standing("busy").path("heldBy")).hasToString("[\"receiver\"]");
    assertThat(standing("busy").path("heldUntil").isNull()).isFalse();
    Eventually.await(
        "nothing of it runs",
        () -> rig.admin
                .get("/v1/url-groups/busy/metrics")
                .body()
                .at("/jobs/RUNNING")
                .asInt()
            == 0);
    int calls = rig.receiver.got("/busy").size();
    busy.set(false);
    List<String> held = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      held.add(rig.enqueue("busy", "/busy", ""));
      rig.await(rig.enqueue("idle-beside", "/beside", ""), "COMPLETED");
    }
    assertThat(rig.receiver.got("/busy")).hasSize(calls);
    assertThat(breaker("busy").path("state").asString()).isEqualTo("CLOSED");
    JsonNode reset =
        Expect.ok(200, rig.admin.post("/v1/url-groups/busy/circuit-breaker/reset", null));
    assertThat(reset.path("heldUntil").isNull()).isTrue();
    for (String job : held) {
      assertThat(rig.await(job, "COMPLETED").path("attempt").asInt()).isEqualTo(1);
    }
  }

  /** A job each of enough lanes that each server gets many. */
  private static void enqueueLanes(String group, String path) {
    for (int i = 0; i < 40; i++) {
      rig.enqueue(group, path, ",\"limitKey\":\"c%d\"".formatted(i));
    }
  }

  @Test
  void answers503WithRetryAfter_holdTheGroup() {
    rig.receiver.answer("/away", got -> Reply.of(503).with("Retry-After", "3600"));
    rig.group("away", PATIENT);
    enqueueLanes("away", "/away");
    Eventually.await("it is held", () -> !breaker("away").path("heldUntil").isNull());
  }

  @Test
  void forcedOpen_holdsTheGroup_untilItIsReset() {
    rig.group("stopped", "");
    assertThat(Expect.ok(200, rig.admin.post("/v1/url-groups/stopped/circuit-breaker/open", null))
            .path("state")
            .asString())
        .isEqualTo("FORCED_OPEN");
    rig.group("going", "");
    String held = rig.enqueue("stopped", "/stopped", "");
    for (int i = 0; i < 5; i++) {
      rig.await(rig.enqueue("going", "/going", ""), "COMPLETED");
    }
    assertThat(rig.state(held)).isEqualTo("PENDING");
    Expect.ok(200, rig.admin.post("/v1/url-groups/stopped/circuit-breaker/reset", null));
    assertThat(rig.await(held, "COMPLETED").path("attempt").asInt()).isEqualTo(1);
    for (String action : List.of("url-group.breaker.open", "url-group.breaker.reset")) {
      assertThat(Expect.texts(
              rig.admin.get("/v1/audit?action=" + action).body().path("items"), "object"))
          .contains("stopped");
    }
  }

  @Test
  void settings_followTheGroup_andAreMadeGoodAtAStart() {
    rig.group("set", ",\"circuitBreaker\":{\"minimumCalls\":5,\"slowCallThreshold\":\"3s\"}");
    assertThat(breaker("set").path("minimumCalls").asInt()).isEqualTo(5);
    assertThat(breaker("set").path("slowCallThreshold").asString()).isEqualTo("3s");
    rig.server.query("delete from {schema}.breaker where name = 'set' returning name");
    rig.server.sibling().close();
    assertThat(rig.server.query(
            "select minimum_calls from {schema}.breaker where name = 'set' and kind = 'URL_GROUP'"))
        .containsExactly("5");
    Expect.ok(200, rig.admin.put("/v1/url-groups/set", "{\"circuitBreaker\":null}"));
    assertThat(breaker("set").path("minimumCalls").isNull()).isTrue();
    assertThat(rig.admin.delete("/v1/url-groups/set").status()).isEqualTo(204);
    assertThat(rig.server.query("select name from {schema}.breaker where name = 'set'"))
        .isEmpty();
  }
}
