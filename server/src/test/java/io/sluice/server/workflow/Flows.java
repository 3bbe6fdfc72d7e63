package io.sluice.server.workflow;

import static io.sluice.server.Expect.ok;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.testkit.Eventually;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What tests of workflows do as a producer and as a pull worker of one tenant. */
record Flows(Client client) {
  JsonNode batch(String json) {
    return ok(201, client.post("/v1/batches", json));
  }

  /** The ids of a new batch's jobs by their names. */
  static Map<String, String> ids(JsonNode started) {
    Map<String, String> ids = new LinkedHashMap<>();
    started
        .path("items")
        .valueStream()
        .forEach(item -> ids.put(item.path("name").asString(), item.path("id").asString()));
    return ids;
  }

  String job(String fields) {
    return ok(201, client.post("/v1/jobs", "{" + fields + "}")).path("id").asString();
  }

  JsonNode read(String job) {
    return ok(200, client.get("/v1/jobs/" + job));
  }

  String state(String job) {
    return read(job).path("state").asString();
  }

  JsonNode readBatch(String id) {
    return ok(200, client.get("/v1/batches/" + id));
  }

  /** The batch once it is over. */
  JsonNode ended(String id) {
    Eventually.await("batch is over", () -> !readBatch(id).path("finishedAt").isNull());
    return readBatch(id);
  }

  /** Takes the job of this type, which must be there. */
  JsonNode claim(String type) {
    JsonNode items = claimAll(type, 1);
    assertThat(items.size()).as("jobs of type " + type).isEqualTo(1);
    return items.get(0);
  }

  JsonNode claimAll(String type, int max) {
    return ok(
            200,
            client.post(
                "/v1/queues/default/claim",
                "{\"worker\":\"w\",\"max\":%d,\"types\":[\"%s\"],\"wait\":\"10s\"}"
                    .formatted(max, type)))
        .path("items");
  }

  void complete(String type, String result) {
    finish(claim(type), result);
  }

  void finish(JsonNode item, String result) {
    ok(
        200,
        client.post(
            "/v1/leases/" + item.path("lease").asString() + "/complete",
            "{\"result\":" + result + "}"));
  }

  void fail(String type) {
    ok(
        200,
        client.post(
            "/v1/leases/" + claim(type).path("lease").asString() + "/fail", "{\"retry\":false}"));
  }
}
