package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.testkit.Eventually;
import tools.jackson.databind.JsonNode;

/** A server whose jobs may go to loopback, somebody there who receives them, and a producer. */
public final class Rig implements AutoCloseable {
  public final TestServer server = TestServer.startAllowing("127.0.0.0/8");
  public final Receiver receiver = new Receiver();
  public final Client admin = server.admin();

  /** Makes a group at the receiver; {@code more} are fields that follow, with a comma first. */
  public void group(String name, String more) {
    Client.Reply reply = admin.post(
        "/v1/url-groups",
        "{\"name\":\"%s\",\"baseUrl\":\"%s\"%s}".formatted(name, receiver.url(), more));
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(201);
  }

  /** Enqueues a job for a path of a group. */
  public String enqueue(String group, String path, String more) {
    return enqueue("{\"urlGroup\":\"%s\",\"path\":\"%s\"%s}".formatted(group, path, more));
  }

  public String enqueue(String json) {
    Client.Reply reply = admin.post("/v1/jobs", json);
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(201);
    return reply.text("/id");
  }

  public JsonNode job(String id) {
    return admin.get("/v1/jobs/" + id).body();
  }

  public String state(String id) {
    return job(id).path("state").asString();
  }

  /** Waits until a job is in this state, and returns it. */
  public JsonNode await(String id, String state) {
    Eventually.await("job is " + state, () -> state(id).equals(state));
    return job(id);
  }

  @Override
  public void close() {
    server.close();
    receiver.close();
  }
}
