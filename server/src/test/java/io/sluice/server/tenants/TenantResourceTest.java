package io.sluice.server.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import io.sluice.testkit.Eventually;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tenants over REST, on two instances. */
class TenantResourceTest {
  private static TestServer server;
  private static TestServer sibling;
  private static Client admin;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    sibling = server.sibling();
    admin = server.admin();
  }

  @AfterAll
  static void stop() {
    sibling.close();
    server.close();
  }

  @Test
  void tenant_isMadeReadChangedAndDeleted() {
    Client.Reply made = admin.post("/v1/tenants", """
        {"name": "whole", "maxConcurrent": 3, "maxSize": 100, "rateLimit": {"perSecond": 2.5}}
        """);
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.body().propertyNames())
        .containsExactly(
            "id",
            "name",
            "enabled",
            "maxConcurrent",
            "maxSize",
            "levels",
            "rateLimit",
            "quotas",
            "size",
            "level",
            "createdAt",
            "updatedAt");
    assertThat(made.text("/enabled")).isEqualTo("true");
    assertThat(made.text("/rateLimit/burst")).isEqualTo("3");
    String id = made.text("/id");
    assertThat(admin.get("/v1/tenants/whole").body())
        .isEqualTo(admin.get("/v1/tenants/" + id).body());
    Client.Reply changed = admin.put(
        "/v1/tenants/" + id,
        "{\"maxSize\": null, \"rateLimit\": {\"perSecond\": 9, \"burst\": 20}}");
    assertThat(changed.status()).isEqualTo(200);
    assertThat(changed.text("/maxConcurrent")).isEqualTo("3");
    assertThat(changed.body().at("/maxSize").isNull()).isTrue();
    assertThat(changed.text("/rateLimit/burst")).isEqualTo("20");
    assertThat(admin.delete("/v1/tenants/whole").status()).isEqualTo(204);
    assertThat(admin.get("/v1/tenants/" + id).status()).isEqualTo(404);
    assertThat(admin.delete("/v1/tenants/whole").status()).isEqualTo(404);
    assertThat(admin.post("/v1/tenants", "{\"name\": \"whole\"}").status()).isEqualTo(201);
    assertThat(admin.get("/v1/tenants/whole").text("/id")).isNotEqualTo(id);
  }

  @Test
  void badTenants_areRefused() {
    assertThat(admin.post("/v1/tenants", "{}").text("/errors/0/field")).isEqualTo("name");
    assertThat(admin.post("/v1/tenants", "{\"name\": \"Not Good\"}").status()).isEqualTo(422);
    assertThat(admin
            .post("/v1/tenants", "{\"name\": \"0192f0c1-2b7e-7000-8000-000000000000\"}")
            .status())
        .isEqualTo(422);
    assertThat(admin.post("/v1/tenants", "{\"name\": \"default\"}").status()).isEqualTo(409);
    Client.Reply several = admin.post("/v1/tenants", """
        {"name": "x", "maxSize": 0, "maxConcurrent": 0, "rateLimit": {"perSecond": 0, "burst": 0}}
        """);
    assertThat(
            several.body().at("/errors").valueStream().map(e -> e.at("/field").asString()))
        .containsExactly("maxConcurrent", "maxSize", "rateLimit.perSecond", "rateLimit.burst");
    assertThat(admin.put("/v1/tenants/default", "{\"name\": \"other\"}").text("/errors/0/message"))
        .isEqualTo("must stay 'default': a name cannot be changed");
    assertThat(admin.put("/v1/tenants/default", "{\"colour\": 1}").status()).isEqualTo(422);
    assertThat(admin.delete("/v1/tenants/default").status()).isEqualTo(409);
    assertThat(admin.delete("/v1/tenants/default?force=true").status()).isEqualTo(409);
    assertThat(admin.get("/v1/tenants?colour=1").status()).isEqualTo(422);
    assertThat(admin.get("/v1/tenants/%00").status()).isEqualTo(404);
    assertThat(admin.forTenant("nobody").get("/v1/tenants").status()).isEqualTo(404);
  }

  @Test
  void levels_areReadBack_overAllQueues() {
    Client own = admin.forTenant("leveled");
    admin.post("/v1/tenants", "{\"name\": \"leveled\", \"maxSize\": 4}");
    assertThat(admin.get("/v1/tenants/leveled").text("/level")).isEqualTo("NORMAL");
    assertThat(admin.get("/v1/tenants/leveled").body().at("/levels").isNull()).isTrue();
    own.post("/v1/queues", "{\"name\": \"mail\"}");
    own.post("/v1/jobs", "{\"type\": \"t\", \"queue\": \"mail\"}");
    own.post("/v1/jobs", "{\"type\": \"t\"}");
    assertThat(admin.get("/v1/tenants/leveled").text("/level")).isEqualTo("WARNING");
    Client.Reply changed =
        admin.put("/v1/tenants/leveled", "{\"levels\": {\"warning\": 0.25, \"high\": 0.5}}");
    assertThat(changed.text("/level")).isEqualTo("HIGH");
    assertThat(changed.text("/size")).isEqualTo("2");
    assertThat(changed.text("/levels/warning")).isEqualTo("0.25");
    assertThat(sibling.admin().get("/v1/tenants/leveled").text("/level")).isEqualTo("HIGH");
    Client.Reply lifted = admin.put("/v1/tenants/leveled", "{\"maxSize\": null, \"levels\": null}");
    for (String field : List.of("levels", "size", "level", "maxSize")) {
      assertThat(lifted.body().at("/" + field).isNull()).as(field).isTrue();
    }
    Client.Reply wrong =
        admin.put("/v1/tenants/leveled", "{\"levels\": {\"warning\": 0.9, \"high\": 0.5}}");
    assertThat(wrong.text("/errors/0/field")).isEqualTo("levels.high");
  }

  @Test
  void list_goesOnFromItsCursor() {
    for (int i = 0; i < 4; i++) {
      admin.post("/v1/tenants", "{\"name\": \"aaa-" + i + "\"}");
    }
    Client.Reply first = admin.get("/v1/tenants?limit=2");
    assertThat(first.text("/items/0/name")).isEqualTo("aaa-0");
    admin.post("/v1/tenants", "{\"name\": \"aaa-00\"}");
    Client.Reply second = admin.get("/v1/tenants?limit=2&cursor=" + first.text("/nextCursor"));
    assertThat(second.text("/items/0/name")).isEqualTo("aaa-2");
    assertThat(admin.get("/v1/tenants?limit=250").body().at("/nextCursor").isNull())
        .isTrue();
  }

  @Test
  void tenant_readsItself_andNoOther() {
    TestTenant own = TestTenant.make(admin, "own");
    TestTenant other = TestTenant.make(admin, "other");
    Client viewer = own.as(Role.VIEWER);
    assertThat(viewer.get("/v1/tenants/own").text("/id")).isEqualTo(own.id());
    assertThat(viewer.get("/v1/tenants/" + own.id()).status()).isEqualTo(200);
    assertThat(viewer.get("/v1/tenants/own/usage").status()).isEqualTo(200);
    assertThat(viewer.get("/v1/tenants/other").raw().body())
        .isEqualTo(viewer.get("/v1/tenants/nobody").raw().body());
    assertThat(viewer.get("/v1/tenants/" + other.id()).status()).isEqualTo(404);
    assertThat(viewer.get("/v1/tenants").status()).isEqualTo(403);
    assertThat(own.as(Role.OPERATOR).put("/v1/tenants/own", "{\"maxSize\": 9}").status())
        .isEqualTo(403);
    assertThat(own.as(Role.ADMIN).get("/v1/tenants/other").status()).isEqualTo(200);
  }

  @Test
  void disabledTenant_isForbidden_hereAtOnceAndElsewhereSoon() {
    TestTenant off = TestTenant.make(admin, "off");
    Client here = off.as(Role.OPERATOR);
    Client there = sibling.admin().withKey(off.keys().get(Role.OPERATOR));
    assertThat(there.get("/v1/tenants/off").status()).isEqualTo(200);
    admin.put("/v1/tenants/off", "{\"enabled\": false}");
    Client.Reply forbidden = here.get("/v1/tenants/off");
    assertThat(forbidden.status()).isEqualTo(403);
    assertThat(forbidden.text("/detail")).contains("tenant is disabled");
    Eventually.await(
        "the sibling forbids it", () -> there.get("/v1/tenants/off").status() == 403);
    assertThat(admin.get("/v1/tenants/off").status()).isEqualTo(200);
    admin.put("/v1/tenants/off", "{\"enabled\": true}");
    assertThat(here.get("/v1/tenants/off").status()).isEqualTo(200);
    admin.delete("/v1/tenants/off");
    assertThat(here.get("/v1/tenants/off").status()).isEqualTo(401);
    Eventually.await(
        "the sibling does not know it", () -> there.get("/v1/tenants/off").status() == 401);
  }
}
