package io.sluice.server.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The audit log over REST. */
class AuditResourceTest {
  private static TestServer server;
  private static Client admin;
  private static TestTenant acme;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    admin = server.admin();
    acme = TestTenant.make(admin, "acme");
    admin.put("/v1/tenants/acme", "{\"enabled\": false}");
    admin.put("/v1/tenants/acme", "{\"enabled\": true}");
    TestTenant.newKey(acme.as(Role.OPERATOR), acme.id(), Role.VIEWER);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static List<String> actions(Client.Reply reply) {
    return reply
        .body()
        .at("/items")
        .valueStream()
        .map(e -> e.at("/action").asString())
        .toList();
  }

  @Test
  void everyWrite_isInIt_newestFirst() {
    Client.Reply log = admin.get("/v1/audit?tenant=acme");
    assertThat(log.status()).isEqualTo(200);
    assertThat(actions(log))
        .containsExactly(
            "key.create",
            "tenant.enable",
            "tenant.disable",
            "key.create",
            "key.create",
            "key.create",
            "key.create",
            "key.create",
            "key.create",
            "tenant.create");
    assertThat(log.body().at("/items/0").propertyNames())
        .containsExactly("id", "at", "tenant", "actor", "role", "action", "object", "details");
    assertThat(log.text("/items/0/actor")).startsWith("key:");
    assertThat(log.text("/items/0/role")).isEqualTo("operator");
    assertThat(log.text("/items/0/details")).isEqualTo("name a key, role viewer");
    assertThat(log.text("/items/9/actor")).isEqualTo("admin-key");
    assertThat(log.text("/items/9/object")).isEqualTo("acme");
  }

  @Test
  void refusedWrite_isNotInIt() {
    int before = server.query("select id from {schema}.audit").size();
    admin.post("/v1/tenants", "{\"name\": \"acme\"}");
    admin.put("/v1/tenants/acme", "{\"maxSize\": 0}");
    acme.as(Role.VIEWER).delete("/v1/tenants/acme");
    assertThat(server.query("select id from {schema}.audit")).hasSize(before);
  }

  @Test
  void filters_narrow() {
    String at = admin.get("/v1/audit?tenant=acme&action=tenant.disable").text("/items/0/at");
    assertThat(actions(admin.get("/v1/audit?tenant=" + acme.id() + "&to=" + at)))
        .hasSize(7)
        .doesNotContain("tenant.disable");
    assertThat(actions(admin.get("/v1/audit?tenant=acme&from=" + at)))
        .containsExactly("key.create", "tenant.enable", "tenant.disable");
    assertThat(actions(admin.get("/v1/audit?actor=admin-key&action=tenant.enable")))
        .containsExactly("tenant.enable");
    assertThat(actions(admin.get("/v1/audit?tenant=nobody"))).isEmpty();
    assertThat(admin.get("/v1/audit?who=x").status()).isEqualTo(422);
    assertThat(admin.get("/v1/audit?cursor=x").status()).isEqualTo(422);
    assertThat(admin.get("/v1/audit?from=yesterday").status()).isEqualTo(422);
  }

  @Test
  void list_goesOnFromItsCursor_whatComesInBetween() {
    Client.Reply first = admin.get("/v1/audit?limit=3");
    admin.put("/v1/tenants/default", "{\"maxSize\": 9}");
    Client.Reply second = admin.get("/v1/audit?limit=3&cursor=" + first.text("/nextCursor"));
    assertThat(second.text("/items/0/id")).isLessThan(first.text("/items/2/id"));
    assertThat(second.body().at("/items").size()).isEqualTo(3);
    assertThat(actions(second)).doesNotContain("tenant.change");
  }

  @Test
  void line_canBeNeitherChangedNorDropped() {
    assertThatThrownBy(() -> server.query("update {schema}.audit set actor = 'me'"))
        .hasMessageContaining("written once");
    assertThatThrownBy(() -> server.query("delete from {schema}.audit"))
        .hasMessageContaining("written once");
    assertThatThrownBy(() -> server.query("truncate {schema}.audit"))
        .hasMessageContaining("written once");
    assertThatThrownBy(() -> server.query("truncate {schema}.audit cascade"))
        .hasMessageContaining("written once");
  }

  private static String details(String action, String object) {
    return admin
        .get("/v1/audit?action=" + action)
        .body()
        .path("items")
        .valueStream()
        .filter(entry -> entry.path("object").asString().equals(object))
        .findFirst()
        .map(entry -> entry.path("details").asString())
        .orElse("no such line");
  }

  @Test
  void line_saysWhatChanged_andNoSecret() {
    admin.post(
        "/v1/url-groups",
        "{\"name\":\"told\",\"baseUrl\":\"https://one.example.com\","
            + "\"auth\":{\"type\":\"bearer\",\"token\":\"hush-one\"},"
            + "\"defaultHeaders\":{\"x-api-key\":\"hush-two\"}}");
    assertThat(details("url-group.create", "told"))
        .contains("baseUrl null -> \"https://one.example.com\"", "auth.type null -> \"bearer\"");
    admin.put(
        "/v1/url-groups/told",
        "{\"baseUrl\":\"https://two.example.com\",\"followRedirects\":true,"
            + "\"auth\":{\"type\":\"bearer\",\"token\":\"hush-three\"},"
            + "\"defaultHeaders\":{\"x-api-key\":\"hush-four\"}}");
    assertThat(details("url-group.change", "told"))
        .isEqualTo("baseUrl \"https://one.example.com\" -> \"https://two.example.com\","
            + " followRedirects null -> true, the secret of auth changed,"
            + " the value of defaultHeaders.x-api-key changed");
    admin.post("/v1/queues", "{\"name\":\"told\"}");
    admin.put("/v1/queues/told", "{\"maxConcurrent\":7}");
    assertThat(details("queue.change", "told")).isEqualTo("maxConcurrent null -> 7");
    admin.post("/v1/tenants", "{\"name\":\"told\"}");
    admin.put("/v1/tenants/told", "{\"maxSize\":1000}");
    assertThat(details("tenant.change", "told")).isEqualTo("maxSize null -> 1000");
    admin.put("/v1/limits/key:told", "{\"concurrency\":3}");
    admin.put("/v1/limits/key:told", "{\"concurrency\":4}");
    assertThat(details("limit.set", "key:told")).contains("concurrency 3 -> 4");
    assertThat(server.query("select coalesce(details, '') from {schema}.audit"))
        .noneMatch(text -> text.contains("hush"));
  }

  @Test
  void changeThatFails_isInItWithItsOutcome() {
    admin.post("/v1/queues", "{\"name\":\"busy\"}");
    admin.post("/v1/jobs", "{\"queue\":\"busy\",\"type\":\"nobody.does\"}");
    assertThat(admin.delete("/v1/queues/busy").status()).isEqualTo(409);
    assertThat(details("queue.delete.failed", "busy")).isEqualTo("CONFLICT");
  }
}
