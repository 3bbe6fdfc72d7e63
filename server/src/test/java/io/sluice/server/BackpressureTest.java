package io.sluice.server;

import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import io.sluice.testkit.Together;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Full queues and tenants over HTTP, at two servers that serve the API and run no jobs. */
class BackpressureTest {
  private static final String JOB = "{\"type\":\"t\"}";

  private static TestServer server;
  private static TestServer sibling;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
    sibling = server.sibling();
  }

  @AfterAll
  static void stop() {
    sibling.close();
    server.close();
  }

  private static Client.Reply batch(Client client, int jobs) {
    String list =
        IntStream.range(0, jobs).mapToObj(i -> JOB).collect(Collectors.joining(",", "[", "]"));
    return client.post("/v1/jobs/batch", "{\"jobs\":" + list + "}");
  }

  @Test
  void tenantsSize_isReachedAndNotExceeded_overServersAndQueues() {
    Client one = server.tenant("crowd");
    ok(201, one.post("/v1/queues", "{\"name\":\"mail\"}"));
    ok(200, server.admin().put("/v1/tenants/crowd", "{\"maxSize\": 60}"));
    List<Integer> taken = Together.run(6, i -> () -> {
      Client client = (i % 2 == 0 ? server : sibling).admin().forTenant("crowd");
      int mine = 0;
      for (int call = 0; call < 15; call++) {
        Client.Reply reply = switch (call % 3) {
          case 0 -> batch(client, 2);
          case 1 -> client.post("/v1/jobs", "{\"type\":\"t\",\"queue\":\"mail\"}");
          default -> client.post("/v1/jobs", JOB);
        };
        assertThat(reply.status()).isIn(201, 429);
        mine += reply.status() == 429 ? 0 : call % 3 == 0 ? 2 : 1;
      }
      return mine;
    });
    assertThat(taken.stream().mapToInt(Integer::intValue).sum()).isEqualTo(60);
    JsonNode tenant = ok(200, sibling.admin().get("/v1/tenants/crowd"));
    assertThat(tenant.path("size").asInt()).isEqualTo(60);
    assertThat(tenant.path("level").asString()).isEqualTo("FULL");
    Client.Reply full = refused(429, "QUEUE_FULL", one.post("/v1/jobs", JOB));
    assertThat(full.text("/detail"))
        .isEqualTo("tenant 'crowd' holds, in all its queues, 60 unfinished jobs of at most 60"
            + " and has no room for 1 more");
  }

  @Test
  void duplicate_isAnswered_byAFullTenant() {
    Client client = server.tenant("twice");
    ok(200, server.admin().put("/v1/tenants/twice", "{\"maxSize\": 1}"));
    String job = "{\"type\":\"t\",\"idempotencyKey\":\"k\"}";
    String id = ok(201, client.post("/v1/jobs", job)).path("id").asString();
    JsonNode again = ok(200, client.post("/v1/jobs", job));
    assertThat(again.path("id").asString()).isEqualTo(id);
    refused(429, "QUEUE_FULL", client.post("/v1/jobs", JOB));
  }

  @Test
  void retryAfter_isTheDefault_andThenByTheRateOfEnds_onEveryServer() {
    Client client = server.tenant("draining");
    ok(200, client.put("/v1/queues/default", "{\"maxSize\": 50}"));
    JsonNode jobs = ok(201, batch(client, 50)).path("items");
    assertThat(retryAfter(client, 1)).isEqualTo(10);
    assertThat(retryAfter(client, 51)).as("what never fits").isEqualTo(300);
    Client other = sibling.admin().forTenant("draining");
    Eventually.await(
        "both watch it", () -> capped(client).size() == 1 && capped(other).size() == 1);
    for (int i = 0; i < 20; i++) {
      ok(200, client.delete("/v1/jobs/" + jobs.get(i).path("id").asString()));
    }
    ok(201, batch(client, 20));
    for (Client each : List.of(client, other)) {
      Eventually.await(
          "the rate is known", () -> capped(each).at("/0/endsPerSecond").asDouble() > 0);
      assertThat(retryAfter(each, 1)).isBetween(1, 9);
    }
  }

  private static int retryAfter(Client client, int jobs) {
    Client.Reply full = refused(429, "QUEUE_FULL", batch(client, jobs));
    return Integer.parseInt(full.header("retry-after"));
  }

  private static JsonNode capped(Client client) {
    return ok(200, client.get("/v1/stats")).path("capped");
  }

  @Test
  void statsAndMetrics_tellHowFullThingsAre() {
    Client client = server.tenant("figures");
    ok(201, client.post("/v1/queues", "{\"name\":\"q\",\"maxSize\":4}"));
    ok(200, server.admin().put("/v1/tenants/figures", "{\"maxSize\": 2}"));
    ok(201, client.post("/v1/jobs", "{\"type\":\"t\",\"queue\":\"q\"}"));
    ok(201, client.post("/v1/jobs", "{\"type\":\"t\",\"queue\":\"q\"}"));
    Eventually.await(
        "it is seen",
        () -> capped(client).at("/0/size").asInt() == 2
            && capped(client).at("/1/size").asInt() == 2);
    JsonNode capped = capped(client);
    assertThat(capped.size()).isEqualTo(2);
    assertThat(capped.at("/0/queue").isNull()).isTrue();
    assertThat(capped.at("/0/level").asString()).isEqualTo("FULL");
    assertThat(capped.at("/1/queue").asString()).isEqualTo("q");
    assertThat(capped.at("/1/level").asString()).isEqualTo("WARNING");
    assertThat(capped.at("/1/maxSize").asInt()).isEqualTo(4);
    assertThat(server.admin().get("/metrics").raw().body().lines())
        .contains(
            "sluice_queue_size{queue=\"q\",tenant=\"figures\"} 2.0",
            "sluice_queue_size_max{queue=\"q\",tenant=\"figures\"} 4.0",
            "sluice_queue_level{queue=\"q\",tenant=\"figures\"} 1.0",
            "sluice_tenant_size{tenant=\"figures\"} 2.0",
            "sluice_tenant_level{tenant=\"figures\"} 3.0");
  }
}
