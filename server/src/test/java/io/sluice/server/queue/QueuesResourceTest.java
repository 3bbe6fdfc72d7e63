package io.sluice.server.queue;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static io.sluice.server.Expect.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Queues: made, changed, paused, emptied, removed, and looked at. */
class QueuesResourceTest {
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Client tenant(String name) {
    return server.tenant(name);
  }

  private static JsonNode made(Client client, String json) {
    return ok(201, client.post("/v1/queues", json));
  }

  private static void add(Client client, String queue, String more) {
    ok(201, client.post("/v1/jobs", "{\"type\":\"t\",\"queue\":\"" + queue + "\"" + more + "}"));
  }

  @Test
  void queue_isReadBack_withEverythingItWasGiven() {
    Client client = tenant("all");
    JsonNode made = made(client, """
        {"name": "mail", "enabled": false, "priority": "high", "maxConcurrent": 3, "maxSize": 500,
         "rateLimit": {"perSecond": 2.5, "burst": 10}, "ordered": "key", "defaultTimeout": "45s",
         "defaultRetry": {"maxAttempts": 2, "on": {"TIMEOUT": {"strategy": "linear"}}},
         "deadLetter": false, "retention": {"completed": "2h", "dead": "90d"},
         "levels": {"warning": 0.1, "high": 0.5}}""");
    for (String id : List.of("mail", made.path("id").asString())) {
      JsonNode queue = ok(200, client.get("/v1/queues/" + id));
      assertThat(queue).isEqualTo(made);
    }
    assertThat(made.path("tenant").asString()).isEqualTo("all");
    assertThat(made.path("name").asString()).isEqualTo("mail");
    assertThat(made.path("enabled").asBoolean(true)).isFalse();
    assertThat(made.path("priority").asString()).isEqualTo("high");
    assertThat(made.path("maxConcurrent").asInt()).isEqualTo(3);
    assertThat(made.path("maxSize").asInt()).isEqualTo(500);
    assertThat(made.at("/rateLimit/perSecond").asDouble()).isEqualTo(2.5);
    assertThat(made.at("/rateLimit/burst").asInt()).isEqualTo(10);
    assertThat(made.path("ordered").asString()).isEqualTo("key");
    assertThat(made.path("defaultTimeout").asString()).isEqualTo("45s");
    assertThat(made.at("/defaultRetry/maxAttempts").asInt()).isEqualTo(2);
    assertThat(made.at("/defaultRetry/on/TIMEOUT/strategy").asString()).isEqualTo("linear");
    assertThat(made.path("deadLetter").asBoolean(true)).isFalse();
    assertThat(made.at("/retention/completed").asString()).isEqualTo("2h");
    assertThat(made.at("/retention/dead").asString()).isEqualTo("2160h");
    assertThat(made.path("urlGroup").isNull()).isTrue();
    assertThat(made.at("/levels/warning").asDouble()).isEqualTo(0.1);
    assertThat(made.at("/levels/high").asDouble()).isEqualTo(0.5);
    assertThat(made.path("size").asInt(-1)).isZero();
    assertThat(made.path("level").asString()).isEqualTo("NORMAL");
    assertThat(made.path("running").asInt(-1)).isZero();
    assertThat(made.path("createdAt").asString()).isNotEmpty();
    assertThat(made.path("updatedAt")).isEqualTo(made.path("createdAt"));
  }

  @Test
  void queue_hasTheDefaults_whereNothingIsSaid() {
    JsonNode made = made(tenant("plain"), "{\"name\":\"q\"}");
    assertThat(made.path("enabled").asBoolean()).isTrue();
    assertThat(made.path("priority").asString()).isEqualTo("normal");
    assertThat(made.path("ordered").asString()).isEqualTo("none");
    assertThat(made.path("deadLetter").asBoolean()).isTrue();
    assertThat(made.at("/retention/completed").asString()).isEqualTo("24h");
    assertThat(made.at("/retention/dead").asString()).isEqualTo("168h");
    for (String unlimited : List.of(
        "maxConcurrent",
        "maxSize",
        "rateLimit",
        "defaultTimeout",
        "defaultRetry",
        "levels",
        "size",
        "level")) {
      assertThat(made.path(unlimited).isNull()).as(unlimited).isTrue();
    }
  }

  @Test
  void queueDefaults_areInForce_forItsJobs() {
    Client client = tenant("force");
    made(client, "{\"name\":\"q\",\"defaultTimeout\":\"7s\",\"defaultRetry\":{\"maxAttempts\":9}}");
    String id = ok(201, client.post("/v1/jobs", "{\"type\":\"t\",\"queue\":\"q\"}"))
        .path("id")
        .asString();
    JsonNode job = ok(200, client.get("/v1/jobs/" + id));
    assertThat(job.path("timeout").asString()).isEqualTo("7s");
    assertThat(job.path("maxAttempts").asInt()).isEqualTo(9);
  }

  @Test
  void badQueues_areRefused_byTheNameOfTheField() {
    Map<String, String> table = new LinkedHashMap<>();
    table.put("{}", "name");
    table.put("{\"name\":\"Not A Name\"}", "name");
    table.put("{\"name\":\"0192f0c1-2b7e-7000-8000-000000000000\"}", "name");
    table.put("{\"name\":\"q\",\"nam\":1}", "nam");
    table.put("{\"name\":\"q\",\"enabled\":\"no\"}", "enabled");
    table.put("{\"name\":\"q\",\"priority\":-1}", "priority");
    table.put("{\"name\":\"q\",\"maxConcurrent\":0}", "maxConcurrent");
    table.put("{\"name\":\"q\",\"maxSize\":0}", "maxSize");
    table.put("{\"name\":\"q\",\"maxSize\":\"5\"}", "maxSize");
    table.put("{\"name\":\"q\",\"levels\":{\"warning\":0}}", "levels.warning");
    table.put("{\"name\":\"q\",\"levels\":{\"warning\":100,\"high\":500}}", "levels.warning");
    table.put("{\"name\":\"q\",\"levels\":{\"high\":0.2}}", "levels.high");
    table.put("{\"name\":\"q\",\"levels\":{\"full\":1}}", "levels.full");
    table.put("{\"name\":\"q\",\"rateLimit\":{\"perSecond\":0}}", "rateLimit.perSecond");
    table.put("{\"name\":\"q\",\"rateLimit\":{\"burst\":3}}", "rateLimit.perSecond");
    table.put("{\"name\":\"q\",\"rateLimit\":{\"perSecond\":1,\"burst\":0}}", "rateLimit.burst");
    table.put("{\"name\":\"q\",\"ordered\":\"always\"}", "ordered");
    table.put("{\"name\":\"q\",\"defaultTimeout\":\"2d\"}", "defaultTimeout");
    table.put("{\"name\":\"q\",\"defaultRetry\":{\"jitter\":3}}", "defaultRetry.jitter");
    table.put("{\"name\":\"q\",\"retention\":{\"dead\":\"4000d\"}}", "retention.dead");
    table.put("{\"name\":\"q\",\"urlGroup\":\"nowhere\"}", "urlGroup");
    Client client = tenant("bad");
    table.forEach((json, field) -> invalid(field, client.post("/v1/queues", json)));
    Client.Reply group = client.post("/v1/queues", "{\"name\":\"q\",\"urlGroup\":\"nowhere\"}");
    assertThat(group.text("/detail")).contains("'nowhere'");
    refused(404, "NOT_FOUND", client.get("/v1/queues/q"));
  }

  @Test
  void sameName_isAConflict_inOneTenantOnly() {
    Client client = tenant("names");
    made(client, "{\"name\":\"q\",\"maxSize\":5}");
    refused(409, "CONFLICT", client.post("/v1/queues", "{\"name\":\"q\"}"));
    refused(409, "CONFLICT", client.post("/v1/queues", "{\"name\":\"default\"}"));
    assertThat(client.get("/v1/queues/q").body().path("maxSize").asInt()).isEqualTo(5);
    made(tenant("names2"), "{\"name\":\"q\"}");
  }

  @Test
  void sameName_madeByManyAtOnce_isMadeOnce() throws Exception {
    Client client = tenant("race");
    List<Future<Integer>> answers = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 6; i++) {
        String body = "{\"name\":\"q\",\"maxSize\":" + (i + 1) + "}";
        answers.add(threads.submit(() -> client.post("/v1/queues", body).status()));
      }
    }
    List<Integer> statuses = new ArrayList<>();
    for (Future<Integer> answer : answers) {
      statuses.add(answer.get());
    }
    assertThat(statuses).containsOnlyOnce(201).contains(409).hasSize(6);
  }

  @Test
  void change_leavesWhatIsNotGiven() {
    Client client = tenant("change");
    made(client, """
        {"name": "q", "maxSize": 5, "maxConcurrent": 2, "priority": 3, "defaultTimeout": "9s",
         "defaultRetry": {"maxAttempts": 2, "jitter": 0.5}, "retention": {"completed": "1h"}}""");
    JsonNode changed = ok(200, client.put("/v1/queues/q", """
        {"maxSize": null, "maxConcurrent": 4, "retention": {"dead": "3h"}, "enabled": false,
         "defaultRetry": {"maxAttempts": 6}}"""));
    assertThat(changed.path("maxSize").isNull()).isTrue();
    assertThat(changed.path("maxConcurrent").asInt()).isEqualTo(4);
    assertThat(changed.path("priority").asInt()).isEqualTo(3);
    assertThat(changed.path("defaultTimeout").asString()).isEqualTo("9s");
    assertThat(changed.at("/defaultRetry/maxAttempts").asInt()).isEqualTo(6);
    assertThat(changed.at("/defaultRetry/jitter").asDouble()).isEqualTo(0.5);
    assertThat(changed.at("/retention/completed").asString()).isEqualTo("1h");
    assertThat(changed.at("/retention/dead").asString()).isEqualTo("3h");
    assertThat(changed.path("enabled").asBoolean(true)).isFalse();
    ok(200, client.put("/v1/queues/q", "{\"name\":\"q\"}"));
    invalid("name", client.put("/v1/queues/q", "{\"name\":\"other\"}"));
    invalid("maxSize", client.put("/v1/queues/q", "{\"maxSize\":-1}"));
    refused(404, "NOT_FOUND", tenant("others").put("/v1/queues/q", "{}"));
  }

  @Test
  void change_looksForTheUrlGroup_onlyWhereItIsAnother() {
    Client client = tenant("grouped");
    made(client, "{\"name\":\"q\"}");
    server.query("update {schema}.queue set url_group = 'g' where tenant = 'grouped'");
    ok(200, client.put("/v1/queues/q", "{\"maxSize\":5}"));
    ok(200, client.put("/v1/queues/q", "{\"urlGroup\":\"g\"}"));
    invalid("urlGroup", client.put("/v1/queues/q", "{\"urlGroup\":\"h\"}"));
    ok(200, client.put("/v1/queues/q", "{\"urlGroup\":null}"));
  }

  @Test
  void numbersThatDoNotFit_areRefused_byTheNameOfTheField() {
    Map<String, String> table = new LinkedHashMap<>();
    String huge = "99999999999999999999";
    table.put("\"maxSize\":" + huge, "maxSize");
    table.put("\"maxConcurrent\":2147483648", "maxConcurrent");
    table.put("\"priority\":" + huge, "priority");
    table.put("\"rateLimit\":{\"perSecond\":1,\"burst\":" + huge + "}", "rateLimit.burst");
    Client client = tenant("huge");
    made(client, "{\"name\":\"there\"}");
    table.forEach((json, field) -> {
      invalid(field, client.post("/v1/queues", "{\"name\":\"q\"," + json + "}"));
      invalid(field, client.put("/v1/queues/there", "{" + json + "}"));
    });
    assertThat(client.put("/v1/queues/there", "{\"maxConcurrent\":2147483648}").text("/detail"))
        .isEqualTo("maxConcurrent must be a whole number of at most 2147483647");
    assertThat(client.put("/v1/queues/there", "{\"maxSize\":-" + huge + "}").text("/detail"))
        .isEqualTo("maxSize must be a whole number of at least -9223372036854775808");
  }

  @Test
  void wordsOfOurs_areToldWhereSomethingElseIsGiven() {
    Client client = tenant("words");
    made(client, "{\"name\":\"there\"}");
    for (String given : List.of("true", "1", "1.5", "{}", "[\"key\"]", "\"\"")) {
      Client.Reply reply = client.put("/v1/queues/there", "{\"ordered\":" + given + "}");
      invalid("ordered", reply);
      assertThat(reply.text("/detail"))
          .as(given)
          .isEqualTo("ordered must be one of key, none, queue");
    }
  }

  @Test
  void durationThatDoesNotFit_isToldWhatWould() {
    Client client = tenant("spans");
    for (String none : List.of("PT0S", "0s", "P2D")) {
      Client.Reply reply =
          client.post("/v1/queues", "{\"name\":\"q\",\"defaultTimeout\":\"" + none + "\"}");
      assertThat(reply.text("/detail")).as(none).isEqualTo("defaultTimeout must be 1ms to 24h");
    }
    String claim = "/v1/queues/default/claim";
    assertThat(client.post(claim, "{\"worker\":\"w\",\"leaseFor\":\"PT0S\"}").text("/detail"))
        .isEqualTo("leaseFor must be 1s to 12h");
    assertThat(client.post(claim, "{\"worker\":\"w\",\"wait\":\"PT2M\"}").text("/detail"))
        .isEqualTo("wait must be 0s to 60s");
    assertThat(client.put("/v1/circuit-breakers/t", "{\"window\":\"PT0S\"}").text("/detail"))
        .isEqualTo("window must be 1ms to 24h");
  }

  @Test
  void pauseAndEnabled_areTheSameSwitch() {
    Client client = tenant("pause");
    made(client, "{\"name\":\"q\"}");
    assertThat(enabled(client.post("/v1/queues/q/pause", null))).isFalse();
    assertThat(enabled(client.get("/v1/queues/q"))).isFalse();
    assertThat(enabled(client.put("/v1/queues/q", "{\"enabled\":true}"))).isTrue();
    assertThat(enabled(client.put("/v1/queues/q", "{\"enabled\":false}"))).isFalse();
    assertThat(enabled(client.post("/v1/queues/q/resume", null))).isTrue();
    assertThat(enabled(client.post("/v1/queues/default/pause", null))).isFalse();
    refused(404, "NOT_FOUND", client.post("/v1/queues/nowhere/pause", null));
  }

  private static boolean enabled(Client.Reply reply) {
    return ok(200, reply).path("enabled").asBoolean();
  }

  @Test
  void list_goesByName_pageByPage_andHasTheDefaultQueue() {
    Client client = tenant("list");
    List.of("d", "b", "a", "c").forEach(name -> made(client, "{\"name\":\"" + name + "\"}"));
    List<String> names = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = ok(200, client.get("/v1/queues?limit=2" + cursor));
      assertThat(page.path("items").size()).isLessThanOrEqualTo(2);
      names.addAll(texts(page.path("items"), "name"));
      JsonNode next = page.path("nextCursor");
      cursor = next.isNull() ? "" : "&cursor=" + next.asString();
    } while (!cursor.isEmpty());
    assertThat(names).containsExactly("a", "b", "c", "d", "default");
    invalid(
        "cursor",
        tenant("other")
            .get("/v1/queues?cursor=" + client.get("/v1/queues?limit=1").text("/nextCursor")));
    invalid("state", client.get("/v1/queues?state=x"));
  }

  @Test
  void purge_cancelsWhatWaits() {
    Client client = tenant("purge");
    made(client, "{\"name\":\"q\",\"maxSize\":10}");
    add(client, "q", "");
    add(client, "q", ",\"delay\":\"1h\"");
    add(client, "default", "");
    assertThat(
            ok(200, client.post("/v1/queues/q/purge", null)).path("cancelled").asInt())
        .isEqualTo(2);
    assertThat(
            ok(200, client.post("/v1/queues/q/purge", null)).path("cancelled").asInt(-1))
        .isZero();
    assertThat(texts(ok(200, client.get("/v1/jobs")).path("items"), "state"))
        .containsExactlyInAnyOrder("PENDING", "CANCELLED", "CANCELLED");
    assertThat(client.get("/v1/queues/q").body().path("size").asInt(-1)).isZero();
  }

  @Test
  void level_followsSizeAndMarks_andLeftOutMarksStay() {
    Client client = tenant("levels");
    made(client, "{\"name\":\"q\",\"maxSize\":4,\"levels\":{\"warning\":0.25}}");
    add(client, "q", "");
    assertThat(client.get("/v1/queues/q").text("/level")).isEqualTo("WARNING");
    JsonNode changed = ok(200, client.put("/v1/queues/q", "{\"levels\":{\"high\":0.25}}"));
    assertThat(changed.path("level").asString()).isEqualTo("HIGH");
    assertThat(changed.at("/levels/warning").asDouble()).isEqualTo(0.25);
    assertThat(texts(ok(200, client.get("/v1/queues")).path("items"), "level"))
        .containsExactly("", "HIGH");
    JsonNode plain = ok(200, client.put("/v1/queues/q", "{\"levels\":null}"));
    assertThat(plain.path("level").asString()).isEqualTo("NORMAL");
  }

  @Test
  void delete_wantsAnEmptyQueue_orForce() {
    Client client = tenant("delete");
    made(client, "{\"name\":\"q\"}");
    add(client, "q", "");
    refused(409, "CONFLICT", client.delete("/v1/queues/q"));
    refused(409, "CONFLICT", client.delete("/v1/queues/q?force=false"));
    invalid("force", client.delete("/v1/queues/q?force=1"));
    assertThat(client.delete("/v1/queues/q?force=true").status()).isEqualTo(204);
    refused(404, "NOT_FOUND", client.get("/v1/queues/q"));
    refused(404, "NOT_FOUND", client.delete("/v1/queues/q"));
    made(client, "{\"name\":\"q\"}");
    assertThat(client.delete("/v1/queues/q").status()).isEqualTo(204);
    refused(409, "CONFLICT", client.delete("/v1/queues/default?force=true"));
  }

  @Test
  void metrics_countWhatTheQueueHas() {
    Client client = tenant("metrics");
    made(client, "{\"name\":\"q\",\"maxSize\":4}");
    add(client, "q", "");
    add(client, "q", ",\"delay\":\"1h\"");
    add(client, "default", "");
    JsonNode metrics = ok(200, client.get("/v1/queues/q/metrics"));
    assertThat(metrics.path("queue").asString()).isEqualTo("q");
    assertThat(metrics.path("depth").asInt()).isEqualTo(2);
    assertThat(metrics.path("running").asInt(-1)).isZero();
    assertThat(metrics.at("/byState/PENDING").asInt()).isEqualTo(1);
    assertThat(metrics.at("/byState/SCHEDULED").asInt()).isEqualTo(1);
    assertThat(metrics.at("/byState/DEAD").asInt(-1)).isZero();
    assertThat(metrics.at("/byType/t/PENDING").asInt()).isEqualTo(1);
    assertThat(metrics.path("level").asString()).isEqualTo("WARNING");
    assertThat(metrics.path("oldestWaiting").asString()).matches("[0-9]+(ms|s|m)");
    assertThat(metrics.path("mean").isNull()).isTrue();
    assertThat(ok(200, client.get("/v1/queues/default/metrics")).path("depth").asInt())
        .isEqualTo(1);
  }

  @Test
  void strangeIds_areNotFound() {
    for (String id :
        List.of("%00", "A", "..%2fdefault", "x'--", "q".repeat(65), new UUID(1, 2).toString())) {
      refused(404, "NOT_FOUND", tenant("strange").get("/v1/queues/" + id));
    }
  }
}
