package io.sluice.server.workflow;

import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static io.sluice.server.Expect.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Jobs that wait for others over REST: what they know, how they end, what is shown of them. */
class WaitingJobsTest {
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Flows tenant(String name) {
    return new Flows(server.tenant(name));
  }

  @Test
  void claimedJob_showsWhatOthersLeft_byNameAndInOrder() {
    Flows flows = tenant("results");
    String first = flows.job("\"type\":\"a\"");
    String second = flows.job("\"type\":\"b\"");
    flows.complete("b", "{\"n\":2}");
    String id = flows.job(
        "\"type\":\"c\",\"after\":[\"%s\",{\"id\":\"%s\",\"name\":\"charge\"}],\"afterPolicy\":\"run\""
            .formatted(first, second));
    assertThat(flows.state(id)).isEqualTo("SCHEDULED");
    flows.fail("a");

    JsonNode job = flows.claim("c").path("job");
    assertThat(job.path("results").toString())
        .isEqualTo("{\"%s\":{\"id\":\"%s\",\"state\":\"%s\",\"result\":null},"
                .formatted(first, first, flows.state(first))
            + "\"charge\":{\"id\":\"%s\",\"state\":\"COMPLETED\",\"result\":{\"n\":2}}}"
                .formatted(second));
    assertThat(flows.read(id).has("results")).isFalse();
  }

  @Test
  void jobsOfABulkCall_mayWaitToo_andTheFaultIsNamedByItsPlace() {
    Flows flows = tenant("bulk");
    String first = flows.job("\"type\":\"a\"");
    JsonNode items = ok(
            201,
            flows
                .client()
                .post(
                    "/v1/jobs/batch",
                    "{\"jobs\":[{\"type\":\"b\"},{\"type\":\"c\",\"after\":[\"" + first + "\"]}]}"))
        .path("items");
    assertThat(texts(items, "state")).containsExactly("PENDING", "SCHEDULED");
    String nobody = "0192f0c1-2b7e-7000-8000-000000000000";
    Client.Reply reply = refused(
        404,
        "NOT_FOUND",
        flows
            .client()
            .post(
                "/v1/jobs/batch",
                "{\"jobs\":[{\"type\":\"b\"},{\"type\":\"c\",\"after\":[\"" + nobody + "\"]}]}"));
    assertThat(reply.text("/detail"))
        .isEqualTo("jobs[1].after: there is no job or batch " + nobody);
  }

  private static Map<String, String> diamond(Flows flows, String policy) {
    return Flows.ids(flows.batch("""
        {"name": "diamond", "jobs": [{"name": "a", "type": "a"},
          {"name": "b", "type": "b", "after": ["a"]}, {"name": "c", "type": "c", "after": ["a"]},
          {"name": "d", "type": "d", "after": ["b", "c"], "afterPolicy": "%s"}]}""".formatted(policy)));
  }

  @Test
  void cancel_leavesOthersToTheirPolicies_andWithCascadeToNone() {
    Flows flows = tenant("cancel");
    Map<String, String> ids = diamond(flows, "run");
    flows.complete("a", "1");
    JsonNode cancelled = ok(200, flows.client().delete("/v1/jobs/" + ids.get("b")));
    assertThat(cancelled.path("state").asString()).isEqualTo("CANCELLED");
    assertThat(flows.state(ids.get("d"))).isEqualTo("SCHEDULED");
    flows.complete("c", "1");
    flows.complete("d", "1");

    Map<String, String> all = diamond(flows, "run");
    ok(200, flows.client().delete("/v1/jobs/" + all.get("a") + "?cascade=true"));
    assertThat(all.values()).allSatisfy(id -> assertThat(flows.state(id)).isEqualTo("CANCELLED"));
    refused(
        422, "INVALID_MESSAGE", flows.client().delete("/v1/jobs/" + all.get("a") + "?cascade=x"));
    assertThat(server.admin().get("/v1/audit").raw().body()).contains("job.cancel-all");
  }

  @Test
  void retry_runsAHeldJob_andWithCascadeRevivesWhatWasCancelled() {
    Flows flows = tenant("retry");
    Map<String, String> held = diamond(flows, "hold");
    flows.complete("a", "1");
    flows.fail("b");
    flows.complete("c", "1");
    assertThat(flows.state(held.get("d"))).isEqualTo("SCHEDULED");
    ok(200, flows.client().post("/v1/jobs/" + held.get("d") + "/retry", null));
    flows.complete("d", "1");
    refused(409, "CONFLICT", flows.client().post("/v1/jobs/" + held.get("d") + "/retry", null));

    Map<String, String> ids = diamond(flows, "cancel");
    flows.fail("a");
    JsonNode d = flows.read(ids.get("d"));
    assertThat(d.path("state").asString()).isEqualTo("CANCELLED");
    assertThat(d.path("reason").asString()).endsWith(", which it waits for, is CANCELLED");
    ok(200, flows.client().post("/v1/jobs/" + ids.get("a") + "/retry?cascade=true", null));
    flows.complete("a", "1");
    flows.complete("b", "1");
    flows.complete("c", "1");
    flows.complete("d", "1");
  }

  private static JsonNode node(JsonNode graph, String id) {
    return graph
        .path("nodes")
        .valueStream()
        .filter(node -> node.path("id").asString().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void graph_hasNodesEdgesAndTheCriticalPath() {
    Flows flows = tenant("graph");
    Map<String, String> ids = diamond(flows, "cancel");
    flows.complete("a", "1");

    JsonNode graph = ok(200, flows.client().get("/v1/jobs/" + ids.get("c") + "/graph"));
    assertThat(texts(graph.path("nodes"), "id")).containsAll(ids.values());
    assertThat(graph
            .path("edges")
            .valueStream()
            .map(edge -> edge.path("from").asString() + ">" + edge.path("to").asString()))
        .contains(
            ids.get("a") + ">" + ids.get("b"),
            ids.get("a") + ">" + ids.get("c"),
            ids.get("b") + ">" + ids.get("d"),
            ids.get("c") + ">" + ids.get("d"));
    JsonNode d = node(graph, ids.get("d"));
    assertThat(node(graph, ids.get("b")).path("name").asString()).isEqualTo("b");
    assertThat(d.path("name").asString()).as("nobody knows it by a name").isEqualTo(ids.get("d"));
    assertThat(d.path("type").asString()).isEqualTo("d");
    assertThat(d.path("queue").asString()).isEqualTo("default");
    assertThat(d.path("state").asString()).isEqualTo("SCHEDULED");
    assertThat(d.path("policy").asString()).isEqualTo("cancel");
    assertThat(d.path("missing").asInt()).isEqualTo(2);
    assertThat(graph.path("criticalPath").size()).isEqualTo(3);
    assertThat(graph.path("batch")).isEqualTo(flows.read(ids.get("c")).path("batch"));
    assertThat(graph.at("/criticalPath/0").asString()).isEqualTo(ids.get("a"));
    assertThat(graph.path("cutOff").asBoolean()).isFalse();
    refused(404, "NOT_FOUND", tenant("other").client().get("/v1/jobs/" + ids.get("c") + "/graph"));
  }

  @Test
  void explain_namesWhatIsWaitedFor() {
    Flows flows = tenant("explain");
    Map<String, String> ids = diamond(flows, "cancel");
    JsonNode explained = ok(200, flows.client().get("/v1/jobs/" + ids.get("d") + "/explain"));
    assertThat(explained.at("/reasons/0/code").asString()).isEqualTo("WAITS_FOR");
    assertThat(explained.at("/reasons/0/message").asString())
        .containsIgnoringCase("waits for 2 of 2");
  }
}
