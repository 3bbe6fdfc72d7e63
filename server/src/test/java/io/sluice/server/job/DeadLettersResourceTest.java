package io.sluice.server.job;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static io.sluice.server.Expect.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Dead letters: listed, counted, run again and removed, one by one or all that fit. */
class DeadLettersResourceTest {
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Client tenant(String name) {
    return server.tenant(name);
  }

  /** A job that a worker gave up. */
  private static String dead(Client client, String fields) {
    String id = ok(201, client.post("/v1/jobs", "{" + fields + "}")).path("id").asString();
    JsonNode items = ok(
            200,
            client.post(
                "/v1/queues/default/claim",
                "{\"worker\":\"w\",\"max\":100,\"types\":[\"a\",\"b\",\"http\"],\"wait\":\"5s\"}"))
        .path("items");
    assertThat(items.size()).isEqualTo(1);
    String lease = items.at("/0/lease").asString();
    ok(
        200,
        client.post(
            "/v1/leases/" + lease + "/fail",
            "{\"retry\":false,\"error\":{\"message\":\"why\",\"class\":\"REJECTED\"}}"));
    return id;
  }

  private static List<String> ids(Client client, String query) {
    return texts(ok(200, client.get("/v1/dlq" + query)).path("items"), "id");
  }

  private static String state(Client client, String id) {
    return client.get("/v1/jobs/" + id).text("/state");
  }

  @Test
  void list_hasTheDeadOnly_andNarrows() {
    Client client = tenant("list");
    String a =
        dead(client, "\"type\":\"a\",\"payload\":\"needle\",\"metadata\":{\"userId\":\"u\"}");
    String b = dead(client, "\"type\":\"b\",\"idempotencyKey\":\"k\",\"limitKey\":\"l\"");
    ok(201, client.post("/v1/jobs", "{\"type\":\"c\"}"));
    assertThat(ids(client, "")).containsExactly(b, a);
    assertThat(ids(client, "?type=a")).containsExactly(a);
    assertThat(ids(client, "?queue=default&idempotencyKey=k")).containsExactly(b);
    assertThat(ids(client, "?limitKey=l")).containsExactly(b);
    assertThat(ids(client, "?metadata.userId=u")).containsExactly(a);
    assertThat(ids(client, "?q=needle")).containsExactly(a);
    assertThat(ids(client, "?from=2099-01-01T00:00:00Z")).isEmpty();
    assertThat(ids(client, "?limit=1")).containsExactly(b);
    invalid("state", client.get("/v1/dlq?state=DEAD"));
    assertThat(ids(tenant("list2"), "")).isEmpty();
    JsonNode item = ok(200, client.get("/v1/dlq?type=a")).at("/items/0");
    assertThat(item.path("deadReason").asString()).isNotEmpty();
    assertThat(item.path("deadAt").asString()).isNotEmpty();
    assertThat(item.at("/origin/queue").asString()).isEqualTo("default");
  }

  @Test
  void credentials_areHidden_inDeadLettersToo() {
    Client client = tenant("hidden");
    String id = dead(
        client,
        "\"url\":\"https://example.com\",\"headers\":{\"authorization\":\"Bearer canary\"}");
    assertThat(ids(client, "")).containsExactly(id);
    assertThat(client.get("/v1/dlq").raw().body()).doesNotContain("canary");
    assertThat(ids(client, "?q=canary")).isEmpty();
    invalid("q", client.get("/v1/dlq/stats?q=canary"));
    JsonNode none = ok(200, client.post("/v1/dlq/replay", "{\"q\":\"canary\"}"));
    assertThat(none.path("replayed").asInt(-1)).isZero();
  }

  @Test
  void stats_countByReason() {
    Client client = tenant("stats");
    dead(client, "\"type\":\"a\"");
    dead(client, "\"type\":\"b\"");
    JsonNode stats = ok(200, client.get("/v1/dlq/stats"));
    assertThat(stats.path("total").asInt()).isEqualTo(2);
    assertThat(stats.path("byReason").size()).isEqualTo(1);
    assertThat(stats.at("/byReason/0/jobs").asInt()).isEqualTo(2);
    assertThat(stats.at("/byReason/0/reason").asString()).isNotEmpty();
    assertThat(ok(200, client.get("/v1/dlq/stats?type=a")).path("total").asInt())
        .isEqualTo(1);
    assertThat(ok(200, tenant("stats2").get("/v1/dlq/stats")).path("total").asInt(-1))
        .isZero();
  }

  @Test
  void replay_runsOneAgain_underItsId() {
    Client client = tenant("replay");
    String id = dead(client, "\"type\":\"a\"");
    refused(404, "NOT_FOUND", tenant("other").post("/v1/dlq/" + id + "/replay", null));
    JsonNode job = ok(200, client.post("/v1/dlq/" + id + "/replay", null));
    assertThat(job.path("id").asString()).isEqualTo(id);
    assertThat(job.path("state").asString()).isEqualTo("PENDING");
    assertThat(job.at("/origin/replays").asInt()).isEqualTo(1);
    refused(409, "CONFLICT", client.post("/v1/dlq/" + id + "/replay", null));
    refused(404, "NOT_FOUND", client.post("/v1/dlq/x/replay", null));
  }

  @Test
  void delete_removesOneForGood() {
    Client client = tenant("delete");
    String id = dead(client, "\"type\":\"a\",\"idempotencyKey\":\"k\"");
    refused(404, "NOT_FOUND", tenant("other").delete("/v1/dlq/" + id));
    assertThat(client.delete("/v1/dlq/" + id).status()).isEqualTo(204);
    refused(404, "NOT_FOUND", client.get("/v1/jobs/" + id));
    refused(404, "NOT_FOUND", client.delete("/v1/dlq/" + id));
    ok(201, client.post("/v1/jobs", "{\"type\":\"a\",\"idempotencyKey\":\"k\"}"));
    String waiting =
        ok(201, client.post("/v1/jobs", "{\"type\":\"z\"}")).path("id").asString();
    refused(409, "CONFLICT", client.delete("/v1/dlq/" + waiting));
    ok(200, client.delete("/v1/jobs/" + waiting));
    refused(409, "CONFLICT", client.delete("/v1/dlq/" + waiting));
    refused(409, "CONFLICT", client.post("/v1/dlq/" + waiting + "/replay", null));
  }

  @Test
  void replayMany_takesWhatFits_ofTheTenantAlone() {
    Client client = tenant("many");
    Client other = tenant("many2");
    List<String> wanted = IntStream.range(0, 3)
        .mapToObj(i -> dead(client, "\"type\":\"a\",\"metadata\":{\"userId\":\"u\"}"))
        .toList();
    String another = dead(client, "\"type\":\"b\"");
    String foreign = dead(other, "\"type\":\"a\",\"metadata\":{\"userId\":\"u\"}");
    assertThat(ok(200, client.post("/v1/dlq/replay", "{\"metadata\":{\"userId\":\"nobody\"}}"))
            .path("replayed")
            .asInt(-1))
        .isZero();
    assertThat(ok(200, client.post("/v1/dlq/replay", "{\"type\":\"a\",\"metadata.userId\":\"u\"}"))
            .path("replayed")
            .asInt())
        .isEqualTo(3);
    assertThat(wanted).allMatch(id -> state(client, id).equals("PENDING"));
    assertThat(state(client, another)).isEqualTo("DEAD");
    assertThat(state(other, foreign)).isEqualTo("DEAD");
    assertThat(ok(200, client.post("/v1/dlq/replay", "{\"all\":true}"))
            .path("replayed")
            .asInt())
        .isEqualTo(1);
    invalid("state", client.post("/v1/dlq/replay", "{\"state\":\"DEAD\"}"));
    invalid("metadata.x", client.post("/v1/dlq/replay", "{\"metadata\":{\"x\":1}}"));
    invalid("type", client.post("/v1/dlq/replay?type=a", "{}"));
  }

  @Test
  void deleteMany_takesTheFilter_fromBodyOrQuery() {
    Client client = tenant("deletes");
    String a = dead(client, "\"type\":\"a\"");
    String b = dead(client, "\"type\":\"b\"");
    String c = dead(client, "\"type\":\"a\",\"limitKey\":\"l\"");
    assertThat(ok(200, client.delete("/v1/dlq?limitKey=l")).path("deleted").asInt())
        .isEqualTo(1);
    assertThat(ids(client, "")).containsExactly(b, a).doesNotContain(c);
    assertThat(ok(200, client.send("DELETE", "/v1/dlq", "{\"type\":\"b\"}"))
            .path("deleted")
            .asInt())
        .isEqualTo(1);
    assertThat(ids(client, "")).containsExactly(a);
    invalid("body", client.send("DELETE", "/v1/dlq?type=a", "{\"type\":\"b\"}"));
    invalid("limit", client.delete("/v1/dlq?limit=1"));
    assertThat(ok(200, client.delete("/v1/dlq?all=true")).path("deleted").asInt())
        .isEqualTo(1);
    assertThat(ids(client, "")).isEmpty();
  }
}
