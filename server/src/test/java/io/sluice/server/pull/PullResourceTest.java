package io.sluice.server.pull;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static io.sluice.server.Expect.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import io.sluice.testkit.Eventually;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Workers that come over HTTP: claim, heartbeat, complete, fail. */
class PullResourceTest {
  private static final String LEASE_LOST = "LEASE_LOST";

  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Client tenant(String name) {
    return server.tenant(name);
  }

  private static String add(Client client, String fields) {
    return ok(201, client.post("/v1/jobs", "{" + fields + "}")).path("id").asString();
  }

  private static JsonNode claim(Client client, String fields) {
    String body = "{\"worker\":\"w1\"" + (fields.isEmpty() ? "" : "," + fields) + "}";
    return ok(200, client.post("/v1/queues/default/claim", body)).path("items");
  }

  /** Claims the one job there is and answers its lease. */
  private static String held(Client client, String fields) {
    JsonNode items = claim(client, fields);
    assertThat(items.size()).isEqualTo(1);
    return items.get(0).path("lease").asString();
  }

  private static Client.Reply lease(Client client, String lease, String what, String body) {
    return client.post("/v1/leases/" + lease + "/" + what, body);
  }

  private static JsonNode job(Client client, String id) {
    return ok(200, client.get("/v1/jobs/" + id));
  }

  @Test
  void claim_handsOutTheJob_withALease() {
    Client client = tenant("claim");
    String id = add(client, "\"type\":\"email.send\",\"payload\":{\"n\":1}");
    JsonNode items = claim(client, "\"max\":10,\"leaseFor\":\"60s\"");
    assertThat(items.size()).isEqualTo(1);
    JsonNode job = items.get(0).path("job");
    assertThat(job.path("id").asString()).isEqualTo(id);
    assertThat(job.path("state").asString()).isEqualTo("RUNNING");
    assertThat(job.path("attempt").asInt()).isEqualTo(1);
    assertThat(job.path("worker").asString()).isEqualTo("w1");
    assertThat(job.path("payload").toString()).isEqualTo("{\"n\":1}");
    JsonNode seen = job(client, id);
    assertThat(seen.path("state").asString()).isEqualTo("RUNNING");
    assertThat(seen.path("worker").asString()).isEqualTo("w1");
    Instant until = Instant.parse(seen.path("leaseUntil").asString());
    assertThat(until).isAfter(Instant.parse(seen.path("startedAt").asString()).plusSeconds(50));
    assertThat(claim(client, "").size()).isZero();
  }

  @Test
  void claim_takesTheUrgentAndTheOldFirst_andNoMoreThanAsked() {
    Client client = tenant("order");
    String low = add(client, "\"type\":\"t\",\"priority\":\"low\"");
    String first = add(client, "\"type\":\"t\"");
    String second = add(client, "\"type\":\"t\"");
    String high = add(client, "\"type\":\"t\",\"priority\":\"high\"");
    assertThat(ids(claim(client, "\"max\":3"))).containsExactly(high, first, second);
    assertThat(ids(claim(client, "\"max\":3"))).containsExactly(low);
  }

  private static List<String> ids(JsonNode items) {
    return items.valueStream().map(item -> item.at("/job/id").asString()).toList();
  }

  @Test
  void claim_takesTheTypesItNames_orAllButHttp() {
    Client client = tenant("types");
    String a = add(client, "\"type\":\"a\"");
    String b = add(client, "\"type\":\"b\"");
    String http =
        add(client, "\"url\":\"https://example.com/x\",\"headers\":{\"authorization\":\"secret\"}");
    assertThat(ids(claim(client, "\"max\":9,\"types\":[\"b\",\"c\"]"))).containsExactly(b);
    assertThat(ids(claim(client, "\"max\":9"))).containsExactly(a);
    JsonNode items = claim(client, "\"max\":9,\"types\":[\"http\"]");
    assertThat(ids(items)).containsExactly(http);
    assertThat(items.at("/0/job/headers/authorization").asString())
        .as("whoever is to send the request needs its credentials")
        .isEqualTo("secret");
  }

  @Test
  void heartbeat_extendsTheLease_andKeepsTheProgress() {
    Client client = tenant("heartbeat");
    String id = add(client, "\"type\":\"t\"");
    String lease = held(client, "\"leaseFor\":\"5m\"");
    Instant before = Instant.parse(job(client, id).path("leaseUntil").asString());
    JsonNode answer = ok(200, lease(client, lease, "heartbeat", """
        {"extendBy": "20m", "progress": {"percent": 40, "message": "half <b>way</b>"}}"""));
    assertThat(answer.path("cancelRequested").asBoolean(true)).isFalse();
    Instant after = Instant.parse(answer.path("leaseUntil").asString());
    assertThat(after).isAfter(before.plusSeconds(800));
    JsonNode seen = job(client, id);
    assertThat(Instant.parse(seen.path("leaseUntil").asString())).isEqualTo(after);
    assertThat(seen.at("/progress/percent").asInt()).isEqualTo(40);
    assertThat(seen.at("/progress/message").asString()).isEqualTo("half <b>way</b>");
    JsonNode plain = ok(200, lease(client, lease, "heartbeat", null));
    assertThat(Instant.parse(plain.path("leaseUntil").asString()))
        .as("without a word, as long as it was first given")
        .isBetween(before, after.minusSeconds(300));
  }

  @Test
  void complete_endsTheJob_once() {
    Client client = tenant("complete");
    String id = add(client, "\"type\":\"t\"");
    String lease = held(client, "");
    JsonNode answer = ok(200, lease(client, lease, "complete", "{\"result\":{\"n\":1.50}}"));
    assertThat(answer.path("id").asString()).isEqualTo(id);
    assertThat(answer.path("state").asString()).isEqualTo("COMPLETED");
    Client.Reply read = client.get("/v1/jobs/" + id);
    assertThat(read.text("/state")).isEqualTo("COMPLETED");
    assertThat(read.body().path("attempt").asInt()).isEqualTo(1);
    assertThat(read.raw().body()).contains("\"result\":{\"n\":1.50}");
    Client.Reply again = lease(client, lease, "complete", "{}");
    refused(409, LEASE_LOST, again);
    assertThat(again.raw().body()).contains("is over: it was finished, expired or cancelled");
    refused(409, LEASE_LOST, lease(client, lease, "fail", "{}"));
    refused(409, LEASE_LOST, lease(client, lease, "heartbeat", "{}"));
    refused(409, "CONFLICT", client.delete("/v1/jobs/" + id));
    refused(409, "CONFLICT", client.post("/v1/jobs/" + id + "/retry", null));
  }

  @Test
  void complete_needsNoResult_andRefusesOneThatIsTooLarge() {
    Client client = tenant("results");
    String id = add(client, "\"type\":\"t\"");
    String lease = held(client, "");
    String large = "\"" + "x".repeat((1 << 20) - 1) + "\"";
    refused(413, "TOO_LARGE", lease(client, lease, "complete", "{\"result\":" + large + "}"));
    invalid("result", lease(client, lease, "complete", "{\"result\":\"\\u0000\"}"));
    ok(200, lease(client, lease, "complete", null));
    assertThat(job(client, id).path("result").isNull()).isTrue();
  }

  @Test
  void fail_triesAgain_byThePolicy() {
    Client client = tenant("fail");
    String id =
        add(client, "\"type\":\"t\",\"retry\":{\"initialDelay\":\"1h\",\"maxDelay\":\"1h\"}");
    String lease = held(client, "");
    JsonNode answer = ok(200, lease(client, lease, "fail", """
        {"error": {"message": "no <answer>", "code": "E42", "class": "NETWORK"}, "retry": true}"""));
    assertThat(answer.path("state").asString()).isEqualTo("RETRYING");
    JsonNode seen = job(client, id);
    assertThat(seen.path("state").asString()).isEqualTo("RETRYING");
    assertThat(Instant.parse(seen.path("runAt").asString()))
        .isAfter(Instant.parse(seen.path("createdAt").asString()).plusSeconds(3000));
    JsonNode error = seen.at("/errors/0");
    assertThat(error.propertyNames())
        .contains("at", "attempt", "class", "code", "message", "status", "responseBody");
    assertThat(error.path("attempt").asInt()).isEqualTo(1);
    assertThat(error.path("class").asString()).isEqualTo("NETWORK");
    assertThat(error.path("code").asString()).isEqualTo("E42");
    assertThat(error.path("message").asString()).isEqualTo("no <answer>");
    refused(409, LEASE_LOST, lease(client, lease, "complete", "{}"));
  }

  @Test
  void claim_showsWhatWentWrongBefore() {
    Client client = tenant("again");
    add(client, "\"type\":\"t\",\"retry\":{\"strategy\":\"immediate\"}");
    String lease = held(client, "");
    ok(200, lease(client, lease, "fail", "{\"error\": {\"message\": \"mailbox is full\"}}"));
    JsonNode job = ok(
            200, client.post("/v1/queues/default/claim", "{\"worker\":\"w\",\"wait\":\"20s\"}"))
        .at("/items/0/job");
    assertThat(job.path("attempt").asInt()).isEqualTo(2);
    assertThat(job.at("/errors/0/message").asString()).isEqualTo("mailbox is full");
  }

  @Test
  void fail_triesAgain_atTheMomentItNames() {
    Client client = tenant("retryat");
    String id = add(client, "\"type\":\"t\"");
    ok(200, lease(client, held(client, ""), "fail", "{\"retryAt\":\"2099-01-01T00:00:00Z\"}"));
    assertThat(job(client, id).path("runAt").asString()).isEqualTo("2099-01-01T00:00:00Z");
    assertThat(claim(client, "")).isEmpty();
    JsonNode hurried = ok(200, client.post("/v1/jobs/" + id + "/retry", null));
    assertThat(hurried.path("state").asString()).isEqualTo("PENDING");
    JsonNode now = claim(client, "\"wait\":\"20s\"").get(0);
    assertThat(now.at("/job/id").asString()).isEqualTo(id);
    assertThat(now.at("/job/attempt").asInt()).isEqualTo(2);
    ok(200, lease(client, now.path("lease").asString(), "complete", "{}"));
    String soon = add(client, "\"type\":\"t\"");
    JsonNode answer =
        ok(200, lease(client, held(client, ""), "fail", "{\"retryAt\":\"2001-01-01T00:00:00Z\"}"));
    assertThat(answer.path("state").asString()).isEqualTo("PENDING");
    JsonNode again = claim(client, "\"wait\":\"20s\"").get(0).path("job");
    assertThat(again.path("id").asString()).isEqualTo(soon);
    assertThat(again.path("attempt").asInt()).isEqualTo(2);
  }

  @Test
  void fail_forGood_isADeadLetter() {
    Client client = tenant("dead");
    String id = add(client, "\"type\":\"t\"");
    JsonNode answer = ok(
        200,
        lease(client, held(client, ""), "fail", "{\"retry\":false,\"error\":{\"message\":\"m\"}}"));
    assertThat(answer.path("state").asString()).isEqualTo("DEAD");
    JsonNode seen = job(client, id);
    assertThat(seen.path("deadReason").asString()).isNotEmpty();
    assertThat(seen.path("deadAt")).isEqualTo(seen.path("finishedAt"));
    String spent = add(client, "\"type\":\"t\",\"retry\":{\"maxAttempts\":1}");
    ok(200, lease(client, held(client, ""), "fail", "{}"));
    assertThat(job(client, spent).path("deadReason").asString()).isEqualTo("MAX_RETRIES_EXCEEDED");
    JsonNode retried = ok(200, client.post("/v1/jobs/" + id + "/retry", null));
    assertThat(retried.path("state").asString()).isEqualTo("PENDING");
    assertThat(retried.path("attempt").asInt(-1)).isZero();
    assertThat(retried.path("errors").size()).isEqualTo(1);
    assertThat(ids(claim(client, ""))).containsExactly(id);
  }

  @Test
  void cancelOfARunningJob_isTold_andNothingElseIsTaken() {
    Client client = tenant("cancel");
    String id = add(client, "\"type\":\"t\"");
    String lease = held(client, "");
    assertThat(ok(200, client.delete("/v1/jobs/" + id)).path("state").asString())
        .isEqualTo("CANCELLED");
    JsonNode answer = ok(200, lease(client, lease, "heartbeat", "{\"progress\":{\"percent\":99}}"));
    assertThat(answer.path("cancelRequested").asBoolean()).isTrue();
    assertThat(answer.path("leaseUntil").isNull()).isTrue();
    refused(409, LEASE_LOST, lease(client, lease, "complete", "{\"result\":1}"));
    refused(409, LEASE_LOST, lease(client, lease, "fail", "{}"));
    JsonNode seen = job(client, id);
    assertThat(seen.path("state").asString()).isEqualTo("CANCELLED");
    assertThat(seen.path("result").isNull()).isTrue();
    assertThat(seen.path("progress").isNull()).isTrue();
  }

  @Test
  void lostLease_givesTheJobToAnother_withoutSpendingAnAttempt() {
    Client client = tenant("lost");
    String id = add(client, "\"type\":\"t\"");
    String lease = held(client, "\"leaseFor\":\"1s\"");
    JsonNode items = ok(
            200,
            client.post(
                "/v1/queues/default/claim",
                "{\"worker\":\"w2\",\"wait\":\"20s\",\"leaseFor\":\"5m\"}"))
        .path("items");
    JsonNode again = items.get(0).path("job");
    assertThat(again.path("id").asString()).isEqualTo(id);
    assertThat(again.path("attempt").asInt()).as("a lost lease is no attempt").isEqualTo(1);
    refused(409, LEASE_LOST, lease(client, lease, "heartbeat", "{}"));
    refused(409, LEASE_LOST, lease(client, lease, "complete", "{}"));
    JsonNode seen = job(client, id);
    assertThat(seen.path("worker").asString()).isEqualTo("w2");
    assertThat(texts(seen.path("errors"), "code")).containsExactly("WORKER_LOST");
    ok(200, lease(client, items.at("/0/lease").asString(), "complete", "{}"));
  }

  @Test
  void claim_whoseAnswerCannotBeSent_givesTheJobBack() throws Exception {
    Client client = tenant("gone");
    String body = "{\"worker\":\"hung-up\",\"wait\":\"60s\",\"leaseFor\":\"1h\"}";
    try (Socket socket =
        new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(server.port()))) {
      String request = """
          POST /v1/queues/default/claim HTTP/1.1\r
          Host: localhost\r
          Authorization: Bearer %s\r
          Sluice-Tenant: gone\r
          Content-Length: %d\r
          \r
          %s""".formatted(TestServer.ADMIN_KEY, body.length(), body);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      Eventually.await(
          "the worker waits",
          () ->
              texts(ok(200, client.get("/v1/workers")).path("items"), "name").contains("hung-up"));
      // Closed at once, with a reset: the next write to it fails.
      socket.setSoLinger(true, 0);
    }
    String id = add(client, "\"type\":\"t\"");
    assertThat(ids(claim(client, "\"wait\":\"30s\""))).containsExactly(id);
    assertThat(job(client, id).path("errors").size()).isZero();
  }

  @Test
  void claim_ofAJobThatCannotBeShown_failsThatOne_andHandsOutTheOthers() {
    Client client = tenant("unreadable");
    String http = "\"url\":\"https://example.com/x\",\"headers\":{\"authorization\":\"secret\"},"
        + "\"retry\":{\"maxAttempts\":1}";
    String broken = add(client, http);
    String good = add(client, http);
    server.query("""
        with moved as (
          update {schema}.job
          set payload = replace(payload::text, 'example.com', 'example.org')::json
          where id = '%s' returning 1
        )
        select count(*) from moved""".formatted(broken));
    assertThat(ids(claim(client, "\"max\":9,\"types\":[\"http\"]"))).containsExactly(good);
    JsonNode dead = job(client, broken);
    assertThat(dead.path("state").asString()).isEqualTo("DEAD");
    assertThat(dead.at("/errors/0/message").asString()).contains("could not be shown");
  }

  @Test
  void strangeLeases_areNotFound() {
    Client client = tenant("forge");
    add(client, "\"type\":\"t\"");
    String lease = held(client, "\"leaseFor\":\"10m\"");
    char other = lease.charAt(30) == 'A' ? 'B' : 'A';
    for (String forged : List.of(
        lease.substring(0, 30) + other + lease.substring(31),
        lease.substring(0, lease.length() - 4),
        lease + "AAAA",
        "A".repeat(60),
        "x",
        "%00",
        "a".repeat(3000))) {
      for (String what : List.of("heartbeat", "complete", "fail")) {
        refused(404, "NOT_FOUND", lease(client, forged, what, "{}"));
      }
    }
    refused(404, "NOT_FOUND", lease(tenant("thief"), lease, "complete", "{}"));
    ok(200, lease(client, lease, "complete", "{}"));
  }

  @Test
  void leasesAndCursors_areGood_atEveryInstance() {
    Client client = tenant("instances");
    add(client, "\"type\":\"t\"");
    String lease = held(client, "\"leaseFor\":\"10m\"");
    add(client, "\"type\":\"t\"");
    String cursor = client.get("/v1/jobs?limit=1").text("/nextCursor");
    try (TestServer sibling = server.sibling()) {
      Client there = sibling.tenant("instances");
      ok(200, there.get("/v1/jobs?limit=1&cursor=" + cursor));
      ok(200, lease(there, lease, "heartbeat", "{}"));
      ok(200, lease(there, lease, "complete", "{}"));
    }
    refused(409, LEASE_LOST, lease(client, lease, "complete", "{}"));
  }

  @Test
  void longPoll_wakes_whenWorkComes() throws Exception {
    Client client = tenant("poll");
    assertThat(claim(client, "\"wait\":\"10ms\"").size()).isZero();
    CompletableFuture<JsonNode> waiting = CompletableFuture.supplyAsync(
        () -> claim(client, "\"wait\":\"60s\",\"types\":[\"poll.t\"]"));
    Eventually.await(
        "the worker waits",
        () -> texts(ok(200, client.get("/v1/workers")).path("items"), "name").contains("w1"));
    String id = add(client, "\"type\":\"poll.t\"");
    assertThat(ids(waiting.get(20, TimeUnit.SECONDS))).containsExactly(id);
  }

  @Test
  void limitedQueue_handsOutNoMoreThanMayRun() {
    Client client = tenant("limit");
    ok(201, client.post("/v1/queues", "{\"name\":\"q\",\"maxConcurrent\":2}"));
    for (int i = 0; i < 4; i++) {
      add(client, "\"type\":\"t\",\"queue\":\"q\"");
    }
    String body = "{\"worker\":\"w\",\"max\":10,\"wait\":\"0s\"}";
    JsonNode items = ok(200, client.post("/v1/queues/q/claim", body)).path("items");
    assertThat(items.size()).isEqualTo(2);
    assertThat(ok(200, client.post("/v1/queues/q/claim", body)).path("items").size())
        .isZero();
    assertThat(client.get("/v1/queues/q").body().path("running").asInt()).isEqualTo(2);
    ok(200, lease(client, items.at("/0/lease").asString(), "complete", "{}"));
    String patient = "{\"worker\":\"w\",\"max\":10,\"wait\":\"20s\"}";
    assertThat(ok(200, client.post("/v1/queues/q/claim", patient)).path("items").size())
        .isEqualTo(1);
  }

  @Test
  void pausedQueue_handsOutNothing() {
    Client client = tenant("paused");
    JsonNode queue = ok(201, client.post("/v1/queues", "{\"name\":\"q\"}"));
    add(client, "\"type\":\"t\",\"queue\":\"q\"");
    ok(200, client.post("/v1/queues/q/pause", null));
    String byId = "/v1/queues/" + queue.path("id").asString() + "/claim";
    assertThat(ok(200, client.post(byId, "{\"worker\":\"w\"}")).path("items").size())
        .isZero();
    ok(200, client.post("/v1/queues/q/resume", null));
    assertThat(ok(200, client.post(byId, "{\"worker\":\"w\",\"wait\":\"20s\"}"))
            .path("items")
            .size())
        .isEqualTo(1);
  }

  @Test
  void deletedQueue_endsItsRunningJobs_byForce() {
    Client client = tenant("force");
    ok(201, client.post("/v1/queues", "{\"name\":\"q\"}"));
    String id = add(client, "\"type\":\"t\",\"queue\":\"q\"");
    String lease = ok(200, client.post("/v1/queues/q/claim", "{\"worker\":\"w\"}"))
        .at("/items/0/lease")
        .asString();
    refused(409, "CONFLICT", client.delete("/v1/queues/q"));
    assertThat(client.delete("/v1/queues/q?force=true").status()).isEqualTo(204);
    refused(409, LEASE_LOST, lease(client, lease, "complete", "{}"));
    assertThat(job(client, id).path("state").asString()).isEqualTo("CANCELLED");
  }

  @Test
  void requiredHandler_mayBeAPullWorker() {
    Client client = tenant("handler");
    refused(
        409,
        "HANDLER_NOT_FOUND",
        client.post("/v1/jobs", "{\"type\":\"pull.x\",\"requireHandler\":true}"));
    claim(client, "\"types\":[\"pull.x\"]");
    ok(201, client.post("/v1/jobs", "{\"type\":\"pull.x\",\"requireHandler\":true}"));
  }

  @Test
  void badCalls_areRefused_byTheNameOfTheField() {
    Client client = tenant("bad");
    Map<String, String> claims = new LinkedHashMap<>();
    claims.put("{}", "worker");
    claims.put("{\"worker\":\"\"}", "worker");
    claims.put("{\"worker\":\"a\\nb\"}", "worker");
    claims.put("{\"worker\":\"w\",\"max\":0}", "max");
    claims.put("{\"worker\":\"w\",\"max\":100000}", "max");
    claims.put("{\"worker\":\"w\",\"types\":[\"a b\"]}", "types[0]");
    claims.put("{\"worker\":\"w\",\"types\":[null]}", "types[0]");
    claims.put("{\"worker\":\"w\",\"types\":[[\"x\",1],\"y\"]}", "types[0]");
    claims.put("{\"worker\":\"w\",\"types\":\"a\"}", "types");
    claims.put("{\"worker\":\"w\",\"leaseFor\":\"10ms\"}", "leaseFor");
    claims.put("{\"worker\":\"w\",\"leaseFor\":\"9999d\"}", "leaseFor");
    claims.put("{\"worker\":\"w\",\"wait\":\"1d\"}", "wait");
    claims.put("{\"worker\":\"w\",\"wait\":20}", "wait");
    claims.put("{\"worker\":\"w\",\"waitFor\":\"1s\"}", "waitFor");
    claims.forEach((json, field) -> invalid(field, client.post("/v1/queues/default/claim", json)));
    refused(404, "NOT_FOUND", client.post("/v1/queues/nowhere/claim", "{\"worker\":\"w\"}"));

    add(client, "\"type\":\"t\"");
    String lease = held(client, "\"leaseFor\":\"10m\"");
    invalid("extendBy", lease(client, lease, "heartbeat", "{\"extendBy\":\"1ms\"}"));
    invalid("progress.percent", lease(client, lease, "heartbeat", "{\"progress\":{}}"));
    invalid(
        "progress.percent", lease(client, lease, "heartbeat", "{\"progress\":{\"percent\":101}}"));
    invalid("results", lease(client, lease, "complete", "{\"results\":1}"));
    invalid("error.class", lease(client, lease, "fail", "{\"error\":{\"class\":\"ODD\"}}"));
    invalid(
        "retryAt",
        lease(client, lease, "fail", "{\"retry\":false,\"retryAt\":\"2099-01-01T00:00:00Z\"}"));
    refused(400, "MALFORMED", lease(client, lease, "fail", "{"));
    ok(200, lease(client, lease, "complete", "{}"));
  }
}
