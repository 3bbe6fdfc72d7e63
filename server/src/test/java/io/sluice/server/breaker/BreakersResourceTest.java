package io.sluice.server.breaker;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.TestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Breakers on job types over REST. */
class BreakersResourceTest {
  private static final String MAIL = "/v1/circuit-breakers/mail.send";

  private static TestServer server;
  private static Client admin;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
    admin = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void breaker_isSetChangedReadAndRemoved() {
    String path = "/v1/circuit-breakers/changing";
    JsonNode made =
        Expect.ok(200, admin.put(path, "{\"minimumCalls\":20,\"slowCallThreshold\":\"5s\"}"));
    assertThat(made.toString())
        .isEqualTo("{\"type\":\"changing\",\"state\":\"CLOSED\",\"failureRate\":0.0,\"calls\":0,"
            + "\"openUntil\":null,\"heldUntil\":null,\"errorThreshold\":0.5,\"window\":\"1m\","
            + "\"minimumCalls\":20,\"slowCallThreshold\":\"5s\",\"tripDuration\":\"30s\","
            + "\"halfOpenMaxRequests\":1}");
    JsonNode changed =
        Expect.ok(200, admin.put(path, "{\"slowCallThreshold\":null,\"tripDuration\":\"2m\"}"));
    assertThat(changed.path("minimumCalls").asInt())
        .as("what is not told stays")
        .isEqualTo(20);
    assertThat(changed.path("slowCallThreshold").isNull()).isTrue();
    assertThat(Expect.ok(200, admin.get(path))).isEqualTo(changed);
    assertThat(admin.delete(path).status()).isEqualTo(204);
    Expect.refused(404, "NOT_FOUND", admin.get(path));
    Expect.refused(404, "NOT_FOUND", admin.delete(path));
    Expect.refused(404, "NOT_FOUND", admin.post(path + "/reset", null));
  }

  @Test
  void breaker_isRefused_withEverythingThatIsWrong() {
    Client.Reply reply = admin.put(MAIL, """
        {"errorThreshold":1.5,"window":"25h","minimumCalls":0,"slowCallThreshold":"0s",
         "tripDuration":"0s","halfOpenMaxRequests":1001}""");
    for (String field : new String[] {
      "errorThreshold",
      "window",
      "minimumCalls",
      "slowCallThreshold",
      "tripDuration",
      "halfOpenMaxRequests"
    }) {
      Expect.invalid(field, reply);
    }
    Expect.invalid("type", admin.put("/v1/circuit-breakers/not%20a%20type", "{}"));
  }

  @Test
  void breaker_isOpenedByHand_andReset() {
    String path = "/v1/circuit-breakers/by.hand";
    assertThat(Expect.ok(200, admin.post(path + "/open", null)).path("state").asString())
        .isEqualTo("FORCED_OPEN");
    assertThat(Expect.ok(200, admin.get(path)).path("errorThreshold").isNull()).isTrue();
    assertThat(Expect.ok(200, admin.post(path + "/reset", null)).path("state").asString())
        .isEqualTo("CLOSED");
    JsonNode audit = admin.get("/v1/audit?action=breaker.open").body();
    assertThat(Expect.texts(audit.path("items"), "object")).contains("by.hand");
    assertThat(Expect.texts(
            admin.get("/v1/audit?action=breaker.reset").body().path("items"), "object"))
        .contains("by.hand");
  }

  @Test
  void openBreaker_holdsPulledJobs() {
    admin.post("/v1/queues", "{\"name\":\"pulled\"}");
    String path = "/v1/circuit-breakers/pulled.work";
    Expect.ok(200, admin.post(path + "/open", null));
    Expect.ok(
        201,
        admin.post("/v1/jobs", "{\"queue\":\"pulled\",\"type\":\"pulled.work\",\"payload\":1}"));
    Expect.ok(
        201, admin.post("/v1/jobs", "{\"queue\":\"pulled\",\"type\":\"other\",\"payload\":1}"));
    String claim = "{\"worker\":\"w\",\"max\":5,\"leaseFor\":\"60s\",\"wait\":\"10s\"}";
    JsonNode first = Expect.ok(200, admin.post("/v1/queues/pulled/claim", claim));
    assertThat(first.at("/items/0/job/type").asString()).isEqualTo("other");
    assertThat(first.path("items")).hasSize(1);
    Expect.ok(200, admin.post(path + "/reset", null));
    JsonNode second = Expect.ok(200, admin.post("/v1/queues/pulled/claim", claim));
    assertThat(second.at("/items/0/job/type").asString()).isEqualTo("pulled.work");
  }

  @Test
  void list_isATenantsOwn_andPaged() {
    Client acme = server.tenant("acme");
    for (String type : new String[] {"c", "a", "b"}) {
      Expect.ok(200, acme.put("/v1/circuit-breakers/" + type, "{}"));
    }
    JsonNode first = Expect.ok(200, acme.get("/v1/circuit-breakers?limit=2"));
    assertThat(Expect.texts(first.path("items"), "type")).containsExactly("a", "b");
    String cursor = first.path("nextCursor").asString();
    JsonNode second = Expect.ok(200, acme.get("/v1/circuit-breakers?limit=2&cursor=" + cursor));
    assertThat(Expect.texts(second.path("items"), "type")).containsExactly("c");
    assertThat(second.path("nextCursor").isNull()).isTrue();
    Expect.refused(404, "NOT_FOUND", server.tenant("globex").get("/v1/circuit-breakers/a"));
  }
}
