package io.sluice.server.limit;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Limits over REST: set, read, listed, lifted, by whom, and the same from every side. */
class LimitsResourceTest {
  private static TestServer server;
  private static Client admin;
  private static TestTenant acme;
  private static Client operator;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    admin = server.admin();
    acme = TestTenant.make(admin, "acme");
    operator = acme.as(Role.OPERATOR);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static JsonNode set(String key, String body) {
    return Expect.ok(200, operator.put("/v1/limits/" + key, body));
  }

  private static JsonNode read(String key) {
    return Expect.ok(200, operator.get("/v1/limits/" + key));
  }

  private static void missing(String key) {
    Expect.refused(404, "NOT_FOUND", operator.get("/v1/limits/" + key));
  }

  private static String rate(JsonNode limit) {
    return "%s/%s burst %s"
        .formatted(
            limit.path("rate").asDouble(),
            limit.path("per").asString(),
            limit.path("burst").asInt());
  }

  private static void makeQueue(String name, String more) {
    Expect.ok(201, operator.post("/v1/queues", "{\"name\": \"" + name + "\"" + more + "}"));
  }

  private static void makeGroup(String name, String more) {
    Expect.ok(
        201,
        operator.post(
            "/v1/url-groups",
            "{\"name\": \"" + name + "\", \"baseUrl\": \"https://a.example\"" + more + "}"));
  }

  @Test
  void limit_isSetReadAndLifted() {
    JsonNode made = set("key:customer-7", "{\"rate\": 100, \"per\": \"minute\"}");
    assertThat(made.path("key").asString()).isEqualTo("key:customer-7");
    assertThat(made.path("scope").asString()).isEqualTo("key");
    assertThat(made.path("name").asString()).isEqualTo("customer-7");
    assertThat(rate(made)).isEqualTo("100.0/minute burst 2");
    assertThat(made.path("concurrency").isNull()).isTrue();
    assertThat(made.path("running").isNull()).isTrue();
    assertThat(made.path("holders").isNull()).isTrue();
    assertThat(made.path("pattern").isNull()).isTrue();
    assertThat(made.path("used").asDouble()).isZero();
    assertThat(made.path("spent").asDouble()).isZero();
    assertThat(made.path("waiting").asInt()).isZero();
    assertThat(read("key:customer-7").path("rate")).isEqualTo(made.path("rate"));
    assertThat(operator.delete("/v1/limits/key:customer-7").status()).isEqualTo(204);
    missing("key:customer-7");
    Expect.refused(404, "NOT_FOUND", operator.delete("/v1/limits/key:customer-7"));
  }

  @Test
  void change_leavesTheRest_andARateBringsItsBurst() {
    set("key:change", "{\"rate\": 10, \"burst\": 50, \"concurrency\": 7}");
    assertThat(rate(set("key:change", "{\"concurrency\": 8}"))).isEqualTo("10.0/second burst 50");
    JsonNode faster = set("key:change", "{\"rate\": 20}");
    assertThat(rate(faster)).isEqualTo("20.0/second burst 20");
    assertThat(faster.path("concurrency").asInt()).isEqualTo(8);
    assertThat(rate(set("key:change", "{\"per\": \"HOUR\"}"))).isEqualTo("20.0/hour burst 20");
    assertThat(rate(set("key:change", "{\"burst\": 3}"))).isEqualTo("20.0/hour burst 3");
    JsonNode without = set("key:change", "{\"rate\": null}");
    assertThat(without.path("rate").isNull()).isTrue();
    assertThat(without.path("burst").isNull()).isTrue();
    assertThat(without.path("spent").isNull()).isTrue();
    assertThat(without.path("used").asInt()).isZero();
    Expect.invalid("rate", operator.put("/v1/limits/key:change", "{\"concurrency\": null}"));
    assertThat(read("key:change").path("concurrency").asInt()).isEqualTo(8);
  }

  @Test
  void nameAlone_isALimitKey_orTheOneThingOfThatName() {
    makeQueue("lonely", "");
    makeGroup("lonely", "");
    assertThat(set("plain", "{\"concurrency\": 1}").path("key").asString()).isEqualTo("key:plain");
    assertThat(read("plain").path("scope").asString()).isEqualTo("key");
    JsonNode queue = set("lonely", "{\"scope\": \"queue\", \"concurrency\": 3}");
    assertThat(queue.path("key").asString()).isEqualTo("queue:lonely");
    assertThat(read("lonely").path("key").asString()).isEqualTo("queue:lonely");
    set("lonely", "{\"scope\": \"urlGroup\", \"concurrency\": 4}");
    Client.Reply several = operator.get("/v1/limits/lonely");
    Expect.invalid("key", several);
    assertThat(several.text("/detail")).contains("queue:lonely", "url-group:lonely");
    set("lonely", "{\"scope\": \"limitKey\", \"concurrency\": 5}");
    assertThat(read("lonely").path("concurrency").asInt()).isEqualTo(5);
    for (String scope : List.of("key", "queue", "url-group")) {
      assertThat(operator.delete("/v1/limits/" + scope + ":lonely").status()).isEqualTo(204);
    }
    missing("lonely");
  }

  @Test
  void keys_mayHaveAnyCharacter() {
    for (String key : List.of("type:billing/charge:v2", "key:a b/ü:*x?", "type:A.b_c-d")) {
      String encoded = java.net.URLEncoder.encode(key, java.nio.charset.StandardCharsets.UTF_8)
          .replace("+", "%20");
      assertThat(set(encoded, "{\"concurrency\": 2}").path("key").asString()).isEqualTo(key);
      assertThat(read(encoded).path("key").asString()).isEqualTo(key);
      assertThat(operator.delete("/v1/limits/" + encoded).status()).isEqualTo(204);
    }
  }

  @Test
  void wrongBodies_areRefused_byTheirField() {
    makeQueue("checked", "");
    Map<String, String> wrong = Map.ofEntries(
        Map.entry("{}", "rate"),
        Map.entry("{\"rate\": 0}", "rate"),
        Map.entry("{\"rate\": -1}", "rate"),
        Map.entry("{\"rate\": 1000000001}", "rate"),
        Map.entry("{\"rate\": \"fast\"}", "rate"),
        Map.entry("{\"rate\": 1, \"per\": \"day\"}", "per"),
        Map.entry("{\"per\": \"hour\", \"concurrency\": 1}", "per"),
        Map.entry("{\"rate\": 1, \"burst\": 0}", "burst"),
        Map.entry("{\"rate\": 1, \"burst\": 1000000001}", "burst"),
        Map.entry("{\"rate\": 1, \"burst\": 1.5}", "burst"),
        Map.entry("{\"burst\": 2, \"concurrency\": 1}", "burst"),
        Map.entry("{\"concurrency\": 0}", "concurrency"),
        Map.entry("{\"concurrency\": 3000000000}", "concurrency"),
        Map.entry("{\"concurrency\": 1, \"scope\": \"type\"}", "scope"),
        Map.entry("{\"concurrency\": 1, \"scope\": \"planet\"}", "scope"),
        Map.entry("{\"rateLimit\": {\"perSecond\": 1}}", "rateLimit"));
    wrong.forEach(
        (body, field) -> Expect.invalid(field, operator.put("/v1/limits/queue:checked", body)));
    Expect.refused(400, "MALFORMED", operator.put("/v1/limits/queue:checked", "{"));
    missing("queue:checked");
    Expect.invalid(
        "scope", operator.put("/v1/limits/x", "{\"scope\": \"tenant\", \"concurrency\": 1}"));
    Expect.invalid("verbose", operator.get("/v1/limits/queue:checked?verbose=true"));
  }

  @Test
  void wrongKeys_areRefused_orNotThere() {
    String body = "{\"concurrency\": 1}";
    for (String key : List.of("customer:7", "Queue:x", "type:", "type:a%20b", "key:", "queues:x")) {
      Expect.invalid("key", operator.put("/v1/limits/" + key, body));
      Expect.invalid("key", operator.get("/v1/limits/" + key));
    }
    for (String key : List.of("queue:nowhere", "queue:", "queue:UP", "url-group:nowhere")) {
      Expect.refused(404, "NOT_FOUND", operator.put("/v1/limits/" + key, body));
      missing(key);
    }
  }

  @Test
  void queue_agreesFromBothSides() {
    makeQueue("emails", ", \"rateLimit\": {\"perMinute\": 90}, \"maxConcurrent\": 4");
    assertThat(rate(read("queue:emails"))).isEqualTo("90.0/minute burst 2");
    assertThat(read("queue:emails").path("concurrency").asInt()).isEqualTo(4);
    set("queue:emails", "{\"rate\": 500, \"per\": \"hour\", \"burst\": 9, \"concurrency\": null}");
    JsonNode queue = Expect.ok(200, operator.get("/v1/queues/emails"));
    assertThat(queue.path("rateLimit").toString()).isEqualTo("{\"perHour\":500.0,\"burst\":9}");
    assertThat(queue.path("maxConcurrent").isNull()).isTrue();
    operator.put("/v1/queues/emails", "{\"rateLimit\": null}");
    missing("queue:emails");
    operator.put("/v1/queues/emails", "{\"rateLimit\": {\"perSecond\": 5, \"burst\": 1}}");
    assertThat(operator.delete("/v1/limits/queue:emails").status()).isEqualTo(204);
    assertThat(operator.get("/v1/queues/emails").body().path("rateLimit").isNull())
        .isTrue();
    for (String wrong :
        List.of("{\"perSecond\": 1, \"perMinute\": 1}", "{\"burst\": 1}", "{\"perHour\": 0}")) {
      assertThat(operator
              .put("/v1/queues/emails", "{\"rateLimit\": " + wrong + "}")
              .status())
          .as(wrong)
          .isEqualTo(422);
    }
  }

  @Test
  void tenant_agreesFromBothSides_andIsForAdmins() {
    TestTenant tenant = TestTenant.make(admin, "bounded");
    Client theirs = admin.forTenant("bounded");
    Expect.ok(
        200,
        admin.put(
            "/v1/tenants/bounded",
            "{\"maxConcurrent\": 6, \"rateLimit\": {\"perHour\": 3600, \"burst\": 2}}"));
    JsonNode limit = Expect.ok(200, tenant.as(Role.VIEWER).get("/v1/limits/tenant"));
    assertThat(rate(limit)).isEqualTo("3600.0/hour burst 2");
    assertThat(limit.path("concurrency").asInt()).isEqualTo(6);
    Expect.ok(200, theirs.put("/v1/limits/tenant", "{\"rate\": 7, \"concurrency\": null}"));
    JsonNode row = Expect.ok(200, admin.get("/v1/tenants/bounded"));
    assertThat(row.path("rateLimit").toString()).isEqualTo("{\"perHour\":7.0,\"burst\":1}");
    assertThat(row.path("maxConcurrent").isNull()).isTrue();
    Client own = tenant.as(Role.OPERATOR);
    Expect.refused(403, "FORBIDDEN", own.put("/v1/limits/tenant", "{\"concurrency\": 100}"));
    Expect.refused(403, "FORBIDDEN", own.delete("/v1/limits/tenant"));
    assertThat(theirs.delete("/v1/limits/tenant").status()).isEqualTo(204);
    assertThat(admin.get("/v1/tenants/bounded").body().path("rateLimit").isNull())
        .isTrue();
    Expect.refused(404, "NOT_FOUND", own.get("/v1/limits/tenant"));
  }

  @Test
  void urlGroup_agreesFromBothSides() {
    makeGroup("shop", ", \"rateLimits\": {\"requestsPerSecond\": 50, \"concurrentRequests\": 10}");
    assertThat(rate(read("url-group:shop"))).isEqualTo("50.0/second burst 50");
    assertThat(read("url-group:shop").path("concurrency").asInt()).isEqualTo(10);
    set("url-group:shop", "{\"rate\": 30, \"per\": \"minute\"}");
    JsonNode limits = Expect.ok(200, operator.get("/v1/url-groups/shop/rate-limits"));
    assertThat(limits.path("requestsPerMinute").asDouble()).isEqualTo(30);
    assertThat(limits.path("requestsPerSecond").isNull()).isTrue();
    assertThat(limits.path("burst").asInt()).isEqualTo(1);
    assertThat(limits.path("concurrentRequests").asInt()).isEqualTo(10);
    Expect.ok(200, operator.put("/v1/url-groups/shop/rate-limits", "{\"requestsPerSecond\": 2.5}"));
    assertThat(rate(read("url-group:shop"))).isEqualTo("2.5/second burst 3");
    Expect.ok(200, operator.put("/v1/url-groups/shop", "{\"description\": \"other\"}"));
    assertThat(read("url-group:shop").path("concurrency").asInt()).isEqualTo(10);
    Expect.invalid(
        "rateLimits.requestsPerHour",
        operator.put(
            "/v1/url-groups/shop",
            "{\"rateLimits\": {\"requestsPerSecond\": 1, \"requestsPerHour\": 1}}"));
    assertThat(operator.delete("/v1/url-groups/shop").status()).isEqualTo(204);
    missing("url-group:shop");
    makeGroup("shop", "");
    missing("url-group:shop");
  }

  @Test
  void global_isForAdminsAlone() {
    Expect.ok(200, admin.put("/v1/limits/global", "{\"concurrency\": 1000000}"));
    JsonNode global = Expect.ok(200, admin.get("/v1/limits/global"));
    assertThat(global.path("scope").asString()).isEqualTo("global");
    assertThat(global.path("name").isNull()).isTrue();
    assertThat(Expect.texts(admin.get("/v1/limits").body().path("items"), "key"))
        .contains("global");
    Expect.refused(403, "FORBIDDEN", operator.get("/v1/limits/global"));
    Expect.refused(403, "FORBIDDEN", operator.put("/v1/limits/global", "{\"concurrency\": 1}"));
    Expect.refused(403, "FORBIDDEN", operator.delete("/v1/limits/global"));
    assertThat(Expect.texts(operator.get("/v1/limits").body().path("items"), "key"))
        .doesNotContain("global");
    assertThat(admin.delete("/v1/limits/global").status()).isEqualTo(204);
  }

  @Test
  void pattern_holdsForEachOfItsKeys() {
    set("key:branch-*", "{\"concurrency\": 2, \"rate\": 5}");
    JsonNode one = read("key:branch-7");
    assertThat(one.path("key").asString()).isEqualTo("key:branch-7");
    assertThat(one.path("pattern").asString()).isEqualTo("key:branch-*");
    assertThat(one.path("concurrency").asInt()).isEqualTo(2);
    assertThat(read("branch-7").path("pattern").asString()).isEqualTo("key:branch-*");
    Expect.refused(404, "NOT_FOUND", operator.delete("/v1/limits/key:branch-7"));
    JsonNode own = set("key:branch-7", "{\"concurrency\": 9}");
    assertThat(own.path("pattern").isNull()).isTrue();
    assertThat(own.path("rate").isNull()).isTrue();
    JsonNode all = read("key:branch-*");
    assertThat(all.path("nextStartAt").isNull()).isTrue();
    assertThat(all.path("concurrency").asInt()).isEqualTo(2);
  }

  @Test
  void list_goesByKindAndName_pageByPage() {
    TestTenant tenant = TestTenant.make(admin, "lister");
    Client own = tenant.as(Role.OPERATOR);
    admin.forTenant("lister").put("/v1/limits/tenant", "{\"concurrency\": 1}");
    own.put("/v1/limits/queue:default", "{\"concurrency\": 1}");
    for (String key : List.of("type:b", "type:a", "key:z", "key:b*", "key:b")) {
      Expect.ok(200, own.put("/v1/limits/" + key, "{\"concurrency\": 1}"));
    }
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = Expect.ok(200, tenant.as(Role.VIEWER).get("/v1/limits?limit=3" + cursor));
      seen.addAll(Expect.texts(page.path("items"), "key"));
      cursor = page.path("nextCursor").isNull()
          ? ""
          : "&cursor=" + page.path("nextCursor").asString();
    } while (!cursor.isEmpty());
    assertThat(seen)
        .containsExactly("tenant", "queue:default", "type:a", "type:b", "key:b", "key:b*", "key:z");
    Expect.invalid("cursor", own.get("/v1/limits?cursor=key:b"));
    Expect.invalid("limit", own.get("/v1/limits?limit=251"));
  }

  @Test
  void tenants_doNotSeeEachOthers() {
    TestTenant other = TestTenant.make(admin, "other");
    set("key:shared", "{\"concurrency\": 11}");
    Client theirs = other.as(Role.OPERATOR);
    Expect.refused(404, "NOT_FOUND", theirs.get("/v1/limits/key:shared"));
    Expect.refused(404, "NOT_FOUND", theirs.delete("/v1/limits/key:shared"));
    Expect.ok(200, theirs.put("/v1/limits/key:shared", "{\"concurrency\": 22}"));
    assertThat(read("key:shared").path("concurrency").asInt()).isEqualTo(11);
    assertThat(Expect.texts(theirs.get("/v1/limits").body().path("items"), "key"))
        .containsExactly("key:shared");
    for (Role role : List.of(Role.PRODUCER, Role.VIEWER)) {
      Expect.ok(200, other.as(role).get("/v1/limits/key:shared"));
      Expect.refused(
          403, "FORBIDDEN", other.as(role).put("/v1/limits/key:shared", "{\"concurrency\": 1}"));
    }
    assertThat(other.as(Role.WORKER).get("/v1/limits").status()).isEqualTo(403);
  }

  @Test
  void deletedTenant_leavesNoLimit() {
    Client gone = server.tenant("gone");
    for (String key : List.of("tenant", "queue:default", "type:t", "key:k", "key:k*")) {
      Expect.ok(200, gone.put("/v1/limits/" + key, "{\"concurrency\": 1}"));
    }
    assertThat(admin.delete("/v1/tenants/gone").status()).isEqualTo(204);
    server.tenant("gone");
    assertThat(gone.get("/v1/limits").body().path("items").isEmpty()).isTrue();
  }

  @Test
  void changes_areInTheAuditLog() {
    set("key:audited", "{\"concurrency\": 1}");
    operator.delete("/v1/limits/key:audited");
    JsonNode lines = admin.get("/v1/audit?tenant=acme&limit=250").body().path("items");
    List<String> told = new ArrayList<>();
    lines.forEach(line ->
        told.add(line.path("action").asString() + " " + line.path("object").asString()));
    assertThat(told).contains("limit.set key:audited", "limit.delete key:audited");
  }

  /** As after a crash between the two, or in a store that forgot. */
  @Test
  void start_putsRightWhatRowsAndStoreSayDifferently() {
    server.tenant("healed");
    Client healed = admin.forTenant("healed");
    Expect.ok(
        201,
        healed.post("/v1/url-groups", "{\"name\": \"g\", \"baseUrl\": \"https://a.example\"}"));
    Expect.ok(200, healed.put("/v1/limits/url-group:g", "{\"concurrency\": 3}"));
    server.query("update {schema}.tenant set max_concurrent = 5 where name = 'healed'");
    server.query("update {schema}.url_group set settings = (settings::jsonb - 'rateLimits')::json"
        + " where tenant = 'healed'");
    Expect.refused(404, "NOT_FOUND", healed.get("/v1/limits/tenant"));
    Expect.ok(200, healed.get("/v1/limits/url-group:g"));
    try (TestServer sibling = server.sibling()) {
      assertThat(healed.get("/v1/limits/tenant").body().path("concurrency").asInt())
          .isEqualTo(5);
      Expect.refused(404, "NOT_FOUND", healed.get("/v1/limits/url-group:g"));
      assertThat(sibling.port()).isNotEqualTo(server.port());
    }
  }
}
