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
            "tenant.create");
    assertThat(log.body().at("/items/0").propertyNames())
        .containsExactly("id", "at", "tenant", "actor", "role", "action", "object", "details");
    assertThat(log.text("/items/0/actor")).startsWith("key:");
    assertThat(log.text("/items/0/role")).isEqualTo("operator");
    assertThat(log.text("/items/0/details")).isEqualTo("name a key, role viewer");
    assertThat(log.text("/items/8/actor")).isEqualTo("admin-key");
    assertThat(log.text("/items/8/object")).isEqualTo("acme");
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
        .hasSize(6)
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
  }
}
