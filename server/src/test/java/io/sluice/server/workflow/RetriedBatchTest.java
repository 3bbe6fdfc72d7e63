package io.sluice.server.workflow;

import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A person mends what failed in a batch, or deletes it, while others wait for it. */
class RetriedBatchTest {
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

  private static JsonNode retry(Flows flows, String job, String query) {
    return ok(200, flows.client().post("/v1/jobs/" + job + "/retry" + query, ""));
  }

  private static String after(Flows flows, String type, String before, String policy) {
    return flows.job("\"type\":\"%s\",\"after\":[\"%s\"],\"afterPolicy\":\"%s\""
        .formatted(type, before, policy));
  }

  private static String told(Flows flows, String job) {
    return ok(200, flows.client().get("/v1/jobs/" + job + "/explain"))
        .at("/reasons/0/code")
        .asString();
  }

  private static String inGraph(Flows flows, String job, String batch) {
    JsonNode nodes = ok(200, flows.client().get("/v1/jobs/" + job + "/graph")).path("nodes");
    for (JsonNode node : nodes) {
      if (node.path("id").asString().equals(batch)) {
        return node.path("state").asString();
      }
    }
    throw new AssertionError("no batch in " + nodes);
  }

  @Test
  void whatFailedInABatch_isRetried_andAllViewsSayTheSame() {
    Flows flows = tenant("mended");
    JsonNode started = flows.batch("""
        {"name": "one", "jobs": [{"name": "a", "type": "a"}]}""");
    String batch = started.path("id").asString();
    String member = Flows.ids(started).get("a");
    String held = after(flows, "held", batch, "hold");
    String cancelled = after(flows, "next", batch, "cancel");
    flows.fail("a");
    assertThat(flows.ended(batch).path("state").asString()).isEqualTo("DEAD");
    assertThat(told(flows, held)).isEqualTo("HELD");

    retry(flows, member, "?cascade=true");
    JsonNode again = flows.readBatch(batch);
    assertThat(again.path("state").asString()).isEqualTo("RUNNING");
    assertThat(again.path("finishedAt").isNull()).isTrue();
    assertThat(again.path("done").asInt()).isZero();
    assertThat(inGraph(flows, held, batch)).isEqualTo("RUNNING");
    assertThat(told(flows, held)).isEqualTo("WAITS_FOR");
    assertThat(flows.state(cancelled)).isEqualTo("SCHEDULED");

    flows.complete("a", "1");
    assertThat(flows.ended(batch).path("state").asString()).isEqualTo("COMPLETED");
    assertThat(inGraph(flows, held, batch)).isEqualTo("COMPLETED");
    flows.complete("held", "1");
    flows.complete("next", "1");
    assertThat(flows.state(after(flows, "young", batch, "cancel"))).isEqualTo("PENDING");
  }

  @Test
  void batchWhoseJobRunsAgain_canBeCancelled() {
    Flows flows = tenant("over");
    JsonNode started = flows.batch("""
        {"name": "one", "jobs": [{"name": "a", "type": "a"}]}""");
    String batch = started.path("id").asString();
    flows.fail("a");
    flows.ended(batch);
    refused(409, "CONFLICT", flows.client().delete("/v1/batches/" + batch));
    retry(flows, Flows.ids(started).get("a"), "");
    JsonNode answer = ok(200, flows.client().delete("/v1/batches/" + batch));
    assertThat(answer.path("cancelled").asInt()).isEqualTo(1);
    assertThat(flows.ended(batch).path("state").asString()).isEqualTo("CANCELLED");
  }

  @Test
  void deadLetterThatAHeldJobNames_isNotDeleted() {
    Flows flows = tenant("kept");
    String dead = flows.job("\"type\":\"a\"");
    String held = after(flows, "held", dead, "hold");
    flows.fail("a");
    Client.Reply reply = refused(409, "CONFLICT", flows.client().delete("/v1/dlq/" + dead));
    assertThat(reply.text("/detail"))
        .isEqualTo("the job '" + dead + "' is kept for job " + held
            + ", which names it in after and is not over: retry or cancel that one first");
    assertThat(
            ok(200, flows.client().delete("/v1/dlq?all=true")).path("deleted").asInt())
        .isZero();
    ok(200, flows.client().delete("/v1/jobs/" + held));
    assertThat(
            ok(200, flows.client().delete("/v1/dlq?all=true")).path("deleted").asInt())
        .isEqualTo(1);
  }
}
