package io.sluice.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.Receiver;
import io.sluice.server.TestServer;
import io.sluice.testkit.Eventually;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Jobs under limits on a real server: they wait, and it costs them nothing. */
class LimitedWorkTest {
  private static final Semaphore answers = new Semaphore(0);

  private static Receiver receiver;
  private static TestServer server;
  private static Client client;

  @BeforeAll
  static void start() {
    receiver = new Receiver().answer("/blocks", got -> {
      try {
        answers.tryAcquire(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Receiver.Reply.of(200);
    });
    server = TestServer.startAllowing("127.0.0.0/8");
    client = server.tenant("limited");
  }

  @AfterAll
  static void stop() {
    answers.release(1_000);
    server.close();
    receiver.close();
  }

  private static String enqueue(String body) {
    return Expect.ok(201, client.post("/v1/jobs", body)).path("id").asString();
  }

  private static JsonNode job(String id) {
    return Expect.ok(200, client.get("/v1/jobs/" + id));
  }

  private static void awaitCompleted(List<String> jobs) {
    for (String id : jobs) {
      Eventually.await(id + " done", () -> job(id).path("state").asString().equals("COMPLETED"));
      assertThat(job(id).path("attempt").asInt()).isEqualTo(1);
    }
  }

  private static JsonNode limit(String key) {
    return Expect.ok(200, client.get("/v1/limits/" + key));
  }

  private static void set(String key, String body) {
    Expect.ok(200, client.put("/v1/limits/" + key, body));
  }

  @Test
  void groupWithOneAtATime_sendsOneAtATime() {
    Expect.ok(
        201,
        client.post(
            "/v1/url-groups",
            "{\"name\": \"narrow\", \"baseUrl\": \"" + receiver.url()
                + "\", \"rateLimits\": {\"concurrentRequests\": 1}}"));
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      jobs.add(enqueue("{\"urlGroup\": \"narrow\", \"path\": \"/blocks\"}"));
    }
    receiver.await("/blocks", 1);
    JsonNode state = limit("url-group:narrow");
    assertThat(state.path("used").asInt()).isEqualTo(1);
    assertThat(state.path("running").asInt()).isEqualTo(1);
    assertThat(state.path("waiting").asInt()).isEqualTo(3);
    assertThat(state.path("holders").size()).isEqualTo(1);
    assertThat(state.path("spent").isNull()).isTrue();
    for (int done = 1; done <= 4; done++) {
      receiver.await("/blocks", done);
      assertThat(receiver.got("/blocks")).hasSize(done);
      assertThat(limit("url-group:narrow").path("running").asInt()).isLessThanOrEqualTo(1);
      answers.release();
    }
    awaitCompleted(jobs);
    assertThat(limit("url-group:narrow").path("used").asInt()).isZero();
  }

  @Test
  void rateOfAKey_letsTheBurstGo_andTheRestWaits_untilItIsRaised() {
    set("key:slow", "{\"rate\": 1, \"per\": \"hour\", \"burst\": 3}");
    List<String> jobs = new ArrayList<>();
    jobs.add(
        enqueue("{\"url\": \"" + receiver.url() + "/slow\", \"limitKey\": \"slow\", \"cost\": 2}"));
    awaitCompleted(jobs);
    for (int i = 0; i < 3; i++) {
      jobs.add(enqueue("{\"url\": \"" + receiver.url() + "/slow\", \"limitKey\": \"slow\"}"));
    }
    receiver.await("/slow", 2);
    Eventually.await("two wait", () -> limit("key:slow").path("waiting").asInt() == 2);
    // What is in no limit flows on meanwhile.
    awaitCompleted(List.of(enqueue("{\"url\": \"" + receiver.url() + "/free\"}")));
    JsonNode state = limit("key:slow");
    assertThat(receiver.got("/slow")).hasSize(2);
    assertThat(state.path("used").asDouble()).isBetween(2.9, 3.0);
    assertThat(state.path("running").isNull()).isTrue();
    Instant next = Instant.parse(state.path("nextStartAt").asString());
    assertThat(Instant.parse(state.path("resetsAt").asString())).isAfter(next);
    assertThat(job(jobs.getFirst()).path("cost").asInt()).isEqualTo(2);
    assertThat(Expect.texts(client.get("/v1/jobs?limitKey=slow").body().path("items"), "id"))
        .containsExactlyInAnyOrderElementsOf(jobs);
    set("key:slow", "{\"rate\": 1000, \"per\": \"second\"}");
    awaitCompleted(jobs);
  }

  @Test
  void tenantWithOneAtATime_givesAPullWorkerOne() {
    Client one = server.tenant("one");
    Expect.ok(200, server.admin().put("/v1/tenants/one", "{\"maxConcurrent\": 1}"));
    for (int i = 0; i < 3; i++) {
      Expect.ok(201, one.post("/v1/jobs", "{\"type\": \"work\", \"payload\": {}}"));
    }
    JsonNode claimed = claim(one);
    assertThat(claimed).hasSize(1);
    assertThat(claim(one)).isEmpty();
    String lease = claimed.path(0).path("lease").asString();
    Expect.ok(200, one.post("/v1/leases/" + lease + "/complete", "{\"result\": 1}"));
    assertThat(claim(one)).hasSize(1);
    Expect.ok(200, one.put("/v1/limits/tenant", "{\"concurrency\": 5}"));
    assertThat(claim(one)).hasSize(1);
    assertThat(one.get("/v1/limits/tenant").body().path("running").asInt()).isEqualTo(2);
  }

  private static JsonNode claim(Client worker) {
    return Expect.ok(
            200, worker.post("/v1/queues/default/claim", "{\"worker\": \"w\", \"max\": 10}"))
        .path("items");
  }

  @Test
  void limitKeyAndCost_areChecked() {
    String job = "{\"type\": \"t\", \"limitKey\": %s, \"cost\": %s}";
    Expect.invalid("limitKey", client.post("/v1/jobs", job.formatted("\"\"", "1")));
    Expect.invalid("limitKey", client.post("/v1/jobs", job.formatted("\"customer-*\"", "1")));
    Expect.invalid(
        "limitKey", client.post("/v1/jobs", job.formatted("\"" + "x".repeat(513) + "\"", "1")));
    Expect.invalid("limitKey", client.post("/v1/jobs", job.formatted("7", "1")));
    for (String cost : List.of("0", "-1", "1000001", "1.5", "\"2\"")) {
      Expect.invalid("cost", client.post("/v1/jobs", job.formatted("\"k\"", cost)));
    }
  }
}
