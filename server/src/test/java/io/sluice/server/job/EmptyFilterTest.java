package io.sluice.server.job;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Filters without a value: refused by their names, and never taken for everything. */
class EmptyFilterTest {
  private static final List<String> PARAMETERS = List.of(
      "queue",
      "type",
      "urlGroup",
      "idempotencyKey",
      "limitKey",
      "batch",
      "metadata.userId",
      "from",
      "to",
      "q");

  /** Bodies of bulk calls, each with the field that is wrong with it. */
  private static final Map<String, String> BODIES = Map.ofEntries(
      Map.entry("{}", "all"),
      Map.entry("{\"all\":false}", "all"),
      Map.entry("{\"all\":null}", "all"),
      Map.entry("{\"all\":\"true\"}", "all"),
      Map.entry("{\"all\":true,\"queue\":\"default\"}", "all"),
      Map.entry("{\"queue\":\"\"}", "queue"),
      Map.entry("{\"queue\":null}", "queue"),
      Map.entry("{\"type\":\"t\",\"queue\":\"\"}", "queue"),
      Map.entry("{\"type\":[\"t\"]}", "type"),
      Map.entry("{\"urlGroup\":\"\"}", "urlGroup"),
      Map.entry("{\"q\":\"\"}", "q"),
      Map.entry("{\"batch\":\"\"}", "batch"),
      Map.entry("{\"from\":\"\"}", "from"),
      Map.entry("{\"to\":null}", "to"),
      Map.entry("{\"metadata\":{}}", "metadata"),
      Map.entry("{\"metadata\":null}", "metadata"),
      Map.entry("{\"metadata\":{\"userId\":null}}", "metadata.userId"),
      Map.entry("{\"metadata\":{\"userId\":\"\"}}", "metadata.userId"),
      Map.entry("{\"metadata.userId\":null}", "metadata.userId"),
      Map.entry("{\"metadata.userId\":\"\"}", "metadata.userId"),
      Map.entry("{\"metadata.\":\"x\"}", "metadata."),
      Map.entry("{\"queues\":\"default\"}", "queues"));

  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A tenant with one dead letter. */
  private static Client withDeadLetter(String tenant) {
    Client client = server.tenant(tenant);
    ok(201, client.post("/v1/jobs", "{\"type\":\"t\"}"));
    String claim = "{\"worker\":\"w\",\"types\":[\"t\"],\"wait\":\"5s\"}";
    String lease = client.post("/v1/queues/default/claim", claim).text("/items/0/lease");
    ok(200, client.post("/v1/leases/" + lease + "/fail", "{\"retry\":false}"));
    assertThat(deadLetters(client)).isEqualTo(1);
    return client;
  }

  private static int deadLetters(Client client) {
    return ok(200, client.get("/v1/dlq")).path("items").size();
  }

  @Test
  void anEmptyParameter_isRefused_inEveryList() {
    Client client = server.tenant("lists");
    for (String list : List.of("/v1/jobs", "/v1/dlq", "/v1/tenants/lists/jobs")) {
      for (String name : PARAMETERS) {
        invalid(name, client.get(list + "?" + name + "="));
      }
      for (String name : List.of("limit", "cursor", "full")) {
        invalid(name, client.get(list + "?" + name + "="));
      }
      invalid("metadata.", client.get(list + "?metadata.=x"));
    }
    invalid("state", client.get("/v1/jobs?state="));
    invalid("queue", client.get("/v1/dlq/stats?queue="));
    invalid("limit", client.get("/v1/queues?limit="));
    invalid("actor", server.admin().get("/v1/audit?actor="));
    invalid("from", client.get("/v1/tenants/lists/usage?from="));
    ok(201, client.post("/v1/queues", "{\"name\":\"mail\"}"));
    invalid("force", client.delete("/v1/queues/mail?force="));
    ok(200, client.get("/v1/queues/mail"));
  }

  @Test
  void delete_needsAFilter_orAll() {
    Client client = withDeadLetter("delete");
    invalid("all", client.delete("/v1/dlq"));
    invalid("all", client.delete("/v1/dlq?all=false"));
    invalid("all", client.delete("/v1/dlq?all="));
    invalid("all", client.delete("/v1/dlq?all=true&type=t"));
    invalid("metadata.", client.delete("/v1/dlq?metadata.=x"));
    PARAMETERS.forEach(name -> invalid(name, client.delete("/v1/dlq?" + name + "=")));
    BODIES.forEach((body, field) -> invalid(field, client.send("DELETE", "/v1/dlq", body)));
    assertThat(deadLetters(client)).isEqualTo(1);
    assertThat(ok(200, client.delete("/v1/dlq?all=true")).path("deleted").asInt())
        .isEqualTo(1);
  }

  @Test
  void replay_needsAFilter_orAll() {
    Client client = withDeadLetter("replay");
    invalid("all", client.post("/v1/dlq/replay", null));
    BODIES.forEach((body, field) -> invalid(field, client.post("/v1/dlq/replay", body)));
    assertThat(deadLetters(client)).isEqualTo(1);
    String all = "{\"all\":true}";
    assertThat(ok(200, client.post("/v1/dlq/replay", all)).path("replayed").asInt())
        .isEqualTo(1);
  }

  @Test
  void bulkCallsOnJobs_needAFilter_orAll() {
    Client client = withDeadLetter("jobs");
    String waiting =
        ok(201, client.post("/v1/jobs", "{\"type\":\"t\"}")).path("id").asString();
    for (String path : List.of("/v1/jobs/retry", "/v1/jobs/cancel")) {
      invalid("all", client.post(path, null));
      BODIES.forEach((body, field) -> invalid(field, client.post(path, body)));
      invalid("state", client.post(path, "{\"state\":\"\"}"));
      invalid("ids", client.post(path, "{\"ids\":[]}"));
      invalid("ids", client.post(path, "{\"ids\":null}"));
      invalid("ids", client.post(path, "{\"ids\":[\"" + waiting + "\"],\"all\":true}"));
      invalid("ids[0]", client.post(path, "{\"ids\":[null]}"));
      invalid("ids[1]", client.post(path, "{\"ids\":[\"" + waiting + "\",\"x\"]}"));
    }
    assertThat(deadLetters(client)).isEqualTo(1);
    assertThat(client.get("/v1/jobs/" + waiting).text("/state")).isEqualTo("PENDING");
  }
}
