package io.sluice.server.stats;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Figures of a tenant and of the whole, and who works. */
class StatsResourceTest {
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

  private static void add(Client client, String fields) {
    ok(201, client.post("/v1/jobs", "{" + fields + "}"));
  }

  private static JsonNode claim(Client client, String worker) {
    String body = "{\"worker\":\"" + worker + "\",\"types\":[\"a\"]}";
    return ok(200, client.post("/v1/queues/default/claim", body)).path("items");
  }

  @Test
  void stats_areOfTheTenant_orOfAll() {
    Client acme = tenant("acme");
    Client globex = tenant("globex");
    ok(201, acme.post("/v1/queues", "{\"name\":\"mail\"}"));
    add(acme, "\"type\":\"a\"");
    add(acme, "\"type\":\"a\"");
    add(acme, "\"type\":\"b\",\"queue\":\"mail\"");
    add(acme, "\"type\":\"b\",\"queue\":\"mail\",\"delay\":\"1h\"");
    add(globex, "\"type\":\"z\"");
    String lease = claim(acme, "w").at("/0/lease").asString();
    ok(200, acme.post("/v1/leases/" + lease + "/complete", "{}"));
    assertThat(claim(acme, "w").size()).isEqualTo(1);

    JsonNode stats = ok(200, acme.get("/v1/stats"));
    assertThat(stats.path("tenant").asString()).isEqualTo("acme");
    assertThat(stats.path("depth").asInt()).isEqualTo(2);
    assertThat(stats.path("running").asInt()).isEqualTo(1);
    assertThat(stats.at("/byState/COMPLETED").asInt()).isEqualTo(1);
    assertThat(stats.at("/byState/SCHEDULED").asInt()).isEqualTo(1);
    assertThat(texts(stats.path("byQueue"), "queue")).containsExactly("default", "mail");
    assertThat(stats.at("/byQueue/1/depth").asInt()).isEqualTo(2);
    assertThat(texts(stats.path("byType"), "type")).containsExactly("a", "b");
    assertThat(stats.at("/byType/0/running").asInt()).isEqualTo(1);
    for (String time : new String[] {"oldestWaiting", "mean", "p95", "p99"}) {
      assertThat(stats.path(time).asString()).as(time).matches("[0-9]+(ms|s|m)");
    }
    JsonNode all = ok(200, server.admin().get("/v1/stats"));
    assertThat(all.path("tenant").isNull()).isTrue();
    assertThat(all.path("depth").asInt()).isGreaterThanOrEqualTo(3);
    assertThat(texts(all.path("byQueue"), "tenant")).contains("acme", "globex");
    assertThat(ok(200, globex.get("/v1/stats")).path("mean").isNull()).isTrue();
    invalid("from", acme.get("/v1/stats?from=x"));
  }

  @Test
  void workers_areTheTenantsOwn_andTheEngines() {
    Client one = tenant("one");
    Client two = tenant("two");
    claim(one, "one-a");
    claim(one, "one-b");
    claim(two, "two-a");
    JsonNode mine = ok(200, one.get("/v1/workers")).path("items");
    assertThat(texts(mine, "name")).contains("one-a", "one-b").doesNotContain("two-a");
    JsonNode worker = mine.valueStream()
        .filter(w -> w.path("name").asString().equals("one-a"))
        .findFirst()
        .orElseThrow();
    assertThat(worker.path("kind").asString()).isEqualTo("PULL");
    assertThat(worker.path("queue").asString()).isEqualTo("default");
    assertThat(worker.at("/types/0").asString()).isEqualTo("a");
    assertThat(worker.path("running").asInt(-1)).isZero();
    assertThat(worker.path("leaseUntil").asString()).isNotEmpty();
    assertThat(texts(ok(200, server.admin().get("/v1/workers")).path("items"), "name"))
        .contains("one-a", "one-b", "two-a");
    JsonNode page = ok(200, one.get("/v1/workers?limit=1"));
    assertThat(page.path("items").size()).isEqualTo(1);
    JsonNode rest =
        ok(200, one.get("/v1/workers?limit=9&cursor=" + page.path("nextCursor").asString()));
    assertThat(texts(rest.path("items"), "name"))
        .doesNotContain(page.at("/items/0/name").asString());
    invalid("cursor", two.get("/v1/workers?cursor=" + page.path("nextCursor").asString()));
  }
}
