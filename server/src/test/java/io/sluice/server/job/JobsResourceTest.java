package io.sluice.server.job;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Jobs one by one: in, looked at, cancelled, run again. */
class JobsResourceTest {
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static TestServer server;
  private static Client acme;
  private static Client globex;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
    acme = server.tenant("acme");
    globex = server.tenant("globex");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String enqueued(String json) {
    return ok(201, acme.post("/v1/jobs", json)).path("id").asString();
  }

  private static JsonNode job(String id) {
    return ok(200, acme.get("/v1/jobs/" + id));
  }

  @Test
  void maxAttempts_mayStandBesideThePolicy_asItIsReadBack() {
    JsonNode read = job(enqueued("{\"type\":\"nobody.does\",\"maxAttempts\":7}"));
    assertThat(read.at("/maxAttempts").asInt()).isEqualTo(7);
    assertThat(read.at("/retry/maxAttempts").asInt()).isEqualTo(7);
    invalid(
        "maxAttempts",
        acme.post(
            "/v1/jobs",
            "{\"type\":\"nobody.does\",\"maxAttempts\":7,\"retry\":{\"maxAttempts\":8}}"));
  }

  @Test
  void create_answersTheJob_andWhereItIs() {
    Client.Reply reply = acme.post("/v1/jobs", "{\"type\":\"email.send\",\"payload\":{\"to\":1}}");
    JsonNode made = ok(201, reply);
    assertThat(made.path("state").asString()).isEqualTo("PENDING");
    assertThat(made.path("queue").asString()).isEqualTo("default");
    assertThat(made.path("duplicate").asBoolean(true)).isFalse();
    assertThat(reply.header("location")).isEqualTo("/v1/jobs/" + made.path("id").asString());
  }

  @Test
  void job_isReadBack_withEverythingItWasGiven() {
    String id = enqueued("""
        {"type": "email.send", "payload": {"n": 1.50, "big": 12345678901234567890123},
         "priority": "high", "delay": "1h", "timeout": "10s",
         "retry": {"maxAttempts": 7, "strategy": "linear", "initialDelay": "2s",
           "on": {"TIMEOUT": {"strategy": "immediate"}, "RATE_LIMITED": {"maxAttempts": 20}}},
         "idempotencyKey": "all-of-it", "limitKey": "customer-7",
         "metadata": {"userId": "u1", "correlationId": "c", "source": "shop", "companyId": "x",
           "custom": {"a": [1, "b"]}},
         "expiresAt": "2099-01-01T00:00:00+01:00"}""");
    JsonNode job = job(id);
    assertThat(job.path("id").asString()).isEqualTo(id);
    assertThat(job.path("tenant").asString()).isEqualTo("acme");
    assertThat(job.path("type").asString()).isEqualTo("email.send");
    assertThat(job.path("state").asString()).isEqualTo("SCHEDULED");
    assertThat(job.path("priority").asString()).isEqualTo("high");
    assertThat(job.path("attempt").asInt(-1)).isZero();
    assertThat(job.path("maxAttempts").asInt()).isEqualTo(7);
    assertThat(job.path("timeout").asString()).isEqualTo("10s");
    assertThat(job.at("/retry/strategy").asString()).isEqualTo("linear");
    assertThat(job.at("/retry/initialDelay").asString()).isEqualTo("2s");
    assertThat(job.at("/retry/on/TIMEOUT/strategy").asString()).isEqualTo("immediate");
    assertThat(job.at("/retry/on/TIMEOUT/maxAttempts").asInt()).isEqualTo(7);
    assertThat(job.at("/retry/on/RATE_LIMITED/maxAttempts").asInt()).isEqualTo(20);
    assertThat(job.path("idempotencyKey").asString()).isEqualTo("all-of-it");
    assertThat(job.path("limitKey").asString()).isEqualTo("customer-7");
    assertThat(job.at("/metadata/userId").asString()).isEqualTo("u1");
    assertThat(job.at("/metadata/custom/a/1").asString()).isEqualTo("b");
    assertThat(job.at("/origin/source").asString()).isEqualTo("shop");
    assertThat(job.path("expiresAt").asString()).isEqualTo("2098-12-31T23:00:00Z");
    Instant created = Instant.parse(job.path("createdAt").asString());
    assertThat(Instant.parse(job.path("runAt").asString())).isAfter(created.plusSeconds(3500));
    assertThat(acme.get("/v1/jobs/" + id).raw().body())
        .as("numbers keep every digit")
        .contains("\"payload\":{\"n\":1.50,\"big\":12345678901234567890123}");
  }

  @Test
  void everyFieldOfAJob_isThere_evenWhereThereIsNothing() {
    JsonNode job = job(enqueued("{\"type\":\"t\"}"));
    Set<String> fields = Set.of(
        "id",
        "tenant",
        "queue",
        "type",
        "state",
        "priority",
        "attempt",
        "maxAttempts",
        "createdAt",
        "updatedAt",
        "runAt",
        "startedAt",
        "finishedAt",
        "leaseUntil",
        "worker",
        "timeout",
        "retry",
        "url",
        "urlGroup",
        "path",
        "method",
        "headers",
        "body",
        "payload",
        "result",
        "errors",
        "deadReason",
        "deadAt",
        "origin",
        "progress",
        "metadata",
        "idempotencyKey",
        "limitKey",
        "expiresAt");
    assertThat(job.propertyNames()).containsAll(fields);
    assertThat(job.path("timeout").asString()).isEqualTo("30s");
    assertThat(job.path("maxAttempts").asInt()).isEqualTo(5);
    assertThat(job.path("payload").toString()).isEqualTo("{}");
  }

  @Test
  void httpJob_isReadBack_withoutItsCredentials() {
    String id = enqueued("""
        {"url": "https://api.example.com/x?y=1", "method": "put",
         "headers": {"x-a": "1", "Authorization": "Bearer very-secret", "X-Api-Key": "k"},
         "body": {"any": [1.10]}, "callbackUrl": "https://example.com/ok",
         "failureCallbackUrl": "https://example.com/bad"}""");
    Client.Reply reply = acme.get("/v1/jobs/" + id);
    JsonNode job = ok(200, reply);
    assertThat(job.path("type").asString()).isEqualTo("http");
    assertThat(job.path("url").asString()).isEqualTo("https://api.example.com/x?y=1");
    assertThat(job.path("method").asString()).isEqualTo("PUT");
    assertThat(job.at("/headers/x-a").asString()).isEqualTo("1");
    assertThat(job.at("/headers/Authorization").asString()).isEqualTo("***");
    assertThat(job.at("/headers/X-Api-Key").asString()).isEqualTo("***");
    assertThat(job.path("payload").isNull()).isTrue();
    assertThat(job.path("callbackUrl").asString()).isEqualTo("https://example.com/ok");
    assertThat(reply.raw().body()).contains("\"body\":{\"any\":[1.10]}");
    assertThat(reply.raw().body()).doesNotContain("very-secret");
    assertThat(acme.get("/v1/jobs?q=api.example.com").raw().body())
        .contains(id)
        .doesNotContain("very-secret");
    assertThat(acme.get("/v1/jobs?q=very-secret").raw().body())
        .as("a hidden value cannot be found by searching for it")
        .doesNotContain(id);
  }

  @Test
  void credentials_thatCameByAnotherWay_areHiddenToo() {
    String id = server.enqueueBySql(
        "http",
        "{\"url\":\"https://example.com/?token=canary-1\",\"headers\":{\"x-api-key\":\"canary-2\"}}");
    String odd = server.enqueueBySql(
        "http", "{\"headers\":{\"cookie\":\"canary-3\"},\"body\":{}, \"url\":[]}");
    Client admin = server.admin();
    assertThat(admin.get("/v1/jobs/" + id).raw().body()).contains("***").doesNotContain("canary");
    assertThat(admin.get("/v1/jobs/" + odd).raw().body()).contains("***").doesNotContain("canary");
    assertThat(ok(200, admin.get("/v1/jobs?q=canary")).path("items").size()).isZero();
    assertThat(ok(200, admin.get("/v1/jobs?q=example.com")).path("items").size())
        .isEqualTo(1);
  }

  @Test
  void jobOfAGroup_isReadBack_withItsPath() {
    ok(
        201,
        acme.post(
            "/v1/url-groups",
            "{\"name\":\"shop\",\"baseUrl\":\"https://shop.example.com/\",\"retry\":{\"maxAttempts\":8}}"));
    ok(201, acme.post("/v1/queues", "{\"name\":\"shop\",\"urlGroup\":\"shop\"}"));
    String named = enqueued("{\"urlGroup\":\"shop\",\"path\":\"/orders\",\"cost\":3}");
    String byQueue = enqueued("{\"queue\":\"shop\",\"path\":\"/orders\"}");
    for (String id : new String[] {named, byQueue}) {
      JsonNode job = job(id);
      assertThat(job.path("type").asString()).isEqualTo("http");
      assertThat(job.path("urlGroup").asString()).isEqualTo("shop");
      assertThat(job.path("path").asString()).isEqualTo("/orders");
      assertThat(job.path("url").isNull()).isTrue();
      assertThat(job.path("maxAttempts").asInt()).as("of the group").isEqualTo(8);
    }
    invalid("path", acme.post("/v1/jobs", "{\"urlGroup\":\"shop\",\"path\":\"/../x\"}"));
    invalid("urlGroup", globex.post("/v1/jobs", "{\"urlGroup\":\"shop\",\"path\":\"/x\"}"));
  }

  @Test
  void otherTenants_seeNothing() {
    String id = enqueued("{\"type\":\"t\"}");
    refused(404, "NOT_FOUND", globex.get("/v1/jobs/" + id));
    refused(404, "NOT_FOUND", globex.delete("/v1/jobs/" + id));
    refused(404, "NOT_FOUND", globex.post("/v1/jobs/" + id + "/retry", null));
    assertThat(job(id).path("state").asString()).isEqualTo("PENDING");
  }

  @Test
  void unknownJob_isNotFound_whateverItsIdLooksLike() {
    for (String id : new String[] {"00000000-0000-7000-8000-000000000000", "x", "%00", "..%2f"}) {
      refused(404, "NOT_FOUND", acme.get("/v1/jobs/" + id));
    }
  }

  @Test
  void knownKey_answersTheFirstJob() {
    String body = "{\"type\":\"t\",\"idempotencyKey\":\"order-42\"}";
    String first = enqueued(body);
    JsonNode second = ok(200, acme.post("/v1/jobs", body));
    assertThat(second.path("id").asString()).isEqualTo(first);
    assertThat(second.path("duplicate").asBoolean()).isTrue();
    JsonNode byHeader =
        ok(200, acme.send("POST", "/v1/jobs", "{\"type\":\"t\"}", "Idempotency-Key", "order-42"));
    assertThat(byHeader.path("id").asString()).isEqualTo(first);
    ok(201, globex.post("/v1/jobs", body));
    invalid("idempotencyKey", acme.send("POST", "/v1/jobs", body, "Idempotency-Key", "another"));
    ok(200, acme.send("POST", "/v1/jobs", body, "Idempotency-Key", "order-42"));
  }

  @Test
  void traceparent_isTaken_whenItIsOne() {
    for (var given :
        Map.of(TRACE, TRACE, "00-zz-1-01", "", TRACE.replace("4bf", "4BF"), "").entrySet()) {
      JsonNode made =
          ok(201, acme.send("POST", "/v1/jobs", "{\"type\":\"t\"}", "traceparent", given.getKey()));
      assertThat(job(made.path("id").asString()).at("/metadata/traceparent").asString())
          .isEqualTo(given.getValue());
    }
  }

  @Test
  void badJobs_areRefused_byTheNameOfTheField() {
    Map<String, String> table = new LinkedHashMap<>();
    table.put("{}", "url");
    table.put("{\"typ\":\"t\"}", "typ");
    table.put("{\"type\":\"http\"}", "type");
    table.put("{\"type\":\"a b\"}", "type");
    table.put("{\"type\":\"t\",\"url\":\"https://example.com\"}", "url");
    table.put("{\"type\":\"t\",\"urlGroup\":\"g\"}", "urlGroup");
    table.put("{\"type\":\"t\",\"callbackUrl\":\"https://example.com\"}", "callbackUrl");
    table.put("{\"url\":\"https://example.com\",\"urlGroup\":\"g\"}", "urlGroup");
    table.put("{\"urlGroup\":\"nowhere\"}", "urlGroup");
    table.put("{\"url\":\"https://example.com\",\"payload\":1}", "payload");
    table.put("{\"url\":\"https://example.com\",\"method\":\"BREW\"}", "method");
    table.put("{\"url\":\"https://example.com\",\"headers\":{\"a\":1}}", "headers.a");
    table.put("{\"url\":\"https://example.com\",\"body\":1,\"bodyBase64\":\"\"}", "bodyBase64");
    table.put("{\"url\":\"https://example.com\",\"bodyBase64\":\"*\"}", "bodyBase64");
    table.put("{\"url\":\"https://example.com\",\"headers\":{\"a\":null}}", "headers.a");
    table.put("{\"url\":\"https://example.com\",\"headers\":{\"host\":\"x\"}}", "headers");
    table.put("{\"url\":\"https://example.com\",\"path\":\"/x\"}", "path");
    table.put("{\"url\":\"ftp://example.com\"}", "url");
    table.put("{\"url\":\"http://127.0.0.1/\"}", "url");
    table.put("{\"url\":\"https://u:p@example.com/\"}", "url");
    table.put(
        "{\"url\":\"https://example.com\",\"callbackUrl\":\"http://10.0.0.1\"}", "callbackUrl");
    table.put(
        "{\"url\":\"https://example.com\",\"failureCallbackUrl\":\"x\"}", "failureCallbackUrl");
    table.put("{\"type\":\"t\",\"queue\":\"Not A Name\"}", "queue");
    table.put("{\"type\":\"t\",\"priority\":\"urgent\"}", "priority");
    table.put("{\"type\":\"t\",\"priority\":21}", "priority");
    table.put("{\"type\":\"t\",\"delay\":\"-1s\"}", "delay");
    table.put("{\"type\":\"t\",\"delay\":5}", "delay");
    table.put("{\"type\":\"t\",\"delay\":\"40000d\"}", "delay");
    table.put("{\"type\":\"t\",\"delay\":\"1s\",\"runAt\":\"2099-01-01T00:00:00Z\"}", "delay");
    table.put("{\"type\":\"t\",\"runAt\":\"tomorrow\"}", "runAt");
    table.put("{\"type\":\"t\",\"runAt\":1700000000}", "runAt");
    table.put("{\"type\":\"t\",\"runAt\":\"9999-01-01T00:00:00Z\"}", "runAt");
    table.put("{\"type\":\"t\",\"timeout\":\"0s\"}", "timeout");
    table.put("{\"type\":\"t\",\"timeout\":\"25h\"}", "timeout");
    table.put("{\"type\":\"t\",\"retry\":{\"maxAttempts\":0}}", "retry.maxAttempts");
    table.put("{\"type\":\"t\",\"retry\":{\"maxAttempts\":1.5}}", "retry.maxAttempts");
    table.put("{\"type\":\"t\",\"retry\":{\"jitter\":2}}", "retry.jitter");
    table.put("{\"type\":\"t\",\"retry\":{\"multiplier\":1e999}}", "retry.multiplier");
    table.put("{\"type\":\"t\",\"retry\":{\"strategy\":\"never\"}}", "retry.strategy");
    table.put("{\"type\":\"t\",\"retry\":{\"on\":{\"NOPE\":{}}}}", "retry.on");
    table.put(
        "{\"type\":\"t\",\"retry\":{\"on\":{\"TIMEOUT\":{\"jitter\":-1}}}}",
        "retry.on.TIMEOUT.jitter");
    table.put("{\"type\":\"t\",\"retry\":{\"on\":{\"TIMEOUT\":{\"on\":{}}}}}", "retry.on.TIMEOUT");
    table.put("{\"type\":\"t\",\"idempotencyKey\":\"\"}", "idempotencyKey");
    table.put("{\"type\":\"t\",\"idempotencyKey\":\"a\\u0000b\"}", "idempotencyKey");
    table.put("{\"type\":\"t\",\"limitKey\":\"" + "k".repeat(513) + "\"}", "limitKey");
    table.put("{\"type\":\"t\",\"cost\":0}", "cost");
    table.put("{\"type\":\"t\",\"after\":[\"x\"]}", "after[0]");
    table.put("{\"type\":\"t\",\"metadata\":{\"user\":\"u\"}}", "metadata.user");
    table.put("{\"type\":\"t\",\"metadata\":{\"traceparent\":\"x\"}}", "metadata.traceparent");
    table.put("{\"type\":\"t\",\"payload\":\"a\\u0000b\"}", "payload");
    table.put("{\"type\":\"t\",\"payload\":\"\\ud800\"}", "payload");
    table.put("{\"url\":\"https://example.com\",\"body\":\"a\\u0000b\"}", "body");
    table.put("{\"type\":\"t\",\"expiresAt\":\"1960-01-01T00:00:00Z\"}", "expiresAt");
    table.put("{\"type\":\"t\",\"requireHandler\":\"yes\"}", "requireHandler");
    table.put("{\"type\":\"t\",\"strict\":true}", "strict");
    table.forEach((json, field) -> invalid(field, acme.post("/v1/jobs", json)));
    refused(400, "MALFORMED", acme.post("/v1/jobs", "{"));
    refused(400, "MALFORMED", acme.post("/v1/jobs", "{\"type\":\"t\"} {}"));
    refused(400, "MALFORMED", acme.post("/v1/jobs", null));
    refused(
        400, "MALFORMED", acme.post("/v1/jobs", "{\"type\":\"t\",\"payload\":" + "[".repeat(300)));
  }

  @Test
  void unknownQueue_isNotFound_byName() {
    Client.Reply reply = acme.post("/v1/jobs", "{\"type\":\"t\",\"queue\":\"nowhere\"}");
    assertThat(refused(404, "NOT_FOUND", reply).text("/detail")).contains("'nowhere'");
  }

  @Test
  void requiredHandler_thatIsMissing_isAConflict() {
    refused(
        409,
        "HANDLER_NOT_FOUND",
        acme.post("/v1/jobs", "{\"type\":\"nobody.does\",\"requireHandler\":true}"));
    ok(201, acme.post("/v1/jobs", "{\"type\":\"nobody.does\",\"requireHandler\":false}"));
  }

  @Test
  void runAt_standsInForDelay() {
    JsonNode later =
        ok(201, acme.post("/v1/jobs", "{\"type\":\"t\",\"runAt\":\"2099-01-01T00:00:00Z\"}"));
    assertThat(later.path("state").asString()).isEqualTo("SCHEDULED");
    JsonNode past =
        ok(201, acme.post("/v1/jobs", "{\"type\":\"t\",\"runAt\":\"2001-01-01T00:00:00Z\"}"));
    assertThat(past.path("state").asString()).isEqualTo("PENDING");
  }

  @Test
  void cancel_endsAWaitingJob_once() {
    String id = enqueued("{\"type\":\"t\"}");
    JsonNode job = ok(200, acme.delete("/v1/jobs/" + id));
    assertThat(job.path("state").asString()).isEqualTo("CANCELLED");
    assertThat(job.path("finishedAt").isNull()).isFalse();
    assertThat(job.path("deadReason").isNull()).isTrue();
    refused(409, "CONFLICT", acme.delete("/v1/jobs/" + id));
  }

  @Test
  void retry_runsACancelledJobAgain_underItsId() {
    String id = enqueued("{\"type\":\"t\"}");
    refused(409, "CONFLICT", acme.post("/v1/jobs/" + id + "/retry", null));
    ok(200, acme.delete("/v1/jobs/" + id));
    JsonNode job = ok(200, acme.post("/v1/jobs/" + id + "/retry", null));
    assertThat(job.path("id").asString()).isEqualTo(id);
    assertThat(job.path("state").asString()).isEqualTo("PENDING");
    assertThat(job.at("/origin/replays").asInt()).isEqualTo(1);
  }

  @Test
  void hostileStrings_comeBackAsTheyWere() {
    String nasty = "<script>alert(1)</script>'; drop table job; -- \\u2028 \\u202e 🌊 %00 ../..";
    String id = enqueued("{\"type\":\"t\",\"payload\":\"" + nasty + "\",\"limitKey\":\"" + nasty
        + "\",\"metadata\":{\"userId\":\"" + nasty + "\",\"custom\":{\"" + nasty + "\":1}}}");
    JsonNode job = job(id);
    String real = nasty.replace("\\u2028", "\u2028").replace("\\u202e", "\u202e");
    assertThat(job.path("payload").asString()).isEqualTo(real);
    assertThat(job.path("limitKey").asString()).isEqualTo(real);
    assertThat(job.at("/metadata/userId").asString()).isEqualTo(real);
    assertThat(job.at("/metadata/custom").has(real)).isTrue();
  }
}
