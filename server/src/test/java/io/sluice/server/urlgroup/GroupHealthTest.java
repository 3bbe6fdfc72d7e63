package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.Rig;
import io.sluice.server.TestServer;
import io.sluice.testkit.Eventually;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Health checks on two instances of a server, with a receiver that is well and not. */
@Tag("slow")
class GroupHealthTest {
  private static final Map<String, Reply> answers = new ConcurrentHashMap<>();

  private static Rig rig;
  private static TestServer sibling;

  @BeforeAll
  static void start() {
    rig = new Rig();
    sibling = rig.server.sibling();
  }

  @AfterAll
  static void stop() {
    sibling.close();
    rig.close();
  }

  /** Makes a group whose check, at a path of its name, is answered as told until told otherwise. */
  private static void group(String name, Reply answer, String check) {
    answers.put(name, answer);
    rig.receiver.answer("/health-" + name, got -> answers.getOrDefault(name, answer));
    rig.group(
        name,
        ",\"defaultHeaders\":{\"x-team\":\"blue\"},\"auth\":{\"type\":\"bearer\",\"token\":\"t-7\"},"
            + "\"healthCheck\":{\"endpoint\":\"/health-%s\",\"interval\":\"1s\"%s}"
                .formatted(name, check));
  }

  private static JsonNode health(Client client, String name) {
    return client.get("/v1/url-groups/" + name + "/health").body();
  }

  private static void awaitStatus(String name, String status) {
    Eventually.await(
        name + " is " + status,
        () -> health(rig.admin, name).path("status").asString().equals(status));
  }

  @Test
  void failingCheck_holdsJobs_everywhere_andTheyGoOnWhenItPasses() {
    group("held", Reply.of(503), ",\"holdJobs\":true,\"failureThreshold\":3");
    awaitStatus("held", "failing");
    JsonNode failing = health(sibling.admin(), "held");
    assertThat(failing.path("jobsHeld").asBoolean()).isTrue();
    assertThat(failing.path("detail").asString()).contains("answered 503, expected 2xx");
    assertThat(failing.at("/checks/0/status").asInt()).isEqualTo(503);
    assertThat(failing.at("/checks/0/passed").asBoolean(true)).isFalse();
    assertThat(failing.at("/nextCheckAt").isNull()).isFalse();
    assertThat(failing.at("/since").isNull()).isFalse();
    assertThat(rig.receiver.first("/health-held").orElseThrow().header("x-team"))
        .isEqualTo("blue");
    assertThat(rig.receiver.first("/health-held").orElseThrow().header("authorization"))
        .isEqualTo("Bearer t-7");
    JsonNode standing = sibling.admin().get("/v1/url-groups/held").body().path("standing");
    assertThat(standing.path("heldBy")).hasToString("[\"health-check\"]");
    assertThat(sibling.admin().get("/health/queue").body().path("notes").toString())
        .containsPattern("URL groups? (is|are) held");
    // Both instances look every second whom to hold.
    int checks = rig.receiver.got("/health-held").size();
    rig.receiver.await("/health-held", checks + 2);

    String job = rig.enqueue("held", "/held-job", "");
    String free = rig.enqueue("{\"url\":\"" + rig.receiver.url() + "/free-job\"}");
    rig.await(free, "COMPLETED");
    rig.receiver.await("/health-held", checks + 3);
    assertThat(rig.state(job)).isEqualTo("PENDING");
    assertThat(rig.job(job).path("attempt").asInt()).isZero();
    assertThat(rig.receiver.got("/held-job")).isEmpty();

    answers.put("held", Reply.of(204));
    JsonNode done = rig.await(job, "COMPLETED");
    assertThat(done.path("attempt").asInt()).isEqualTo(1);
    assertThat(health(rig.admin, "held").path("status").asString()).isEqualTo("passing");
    assertThat(health(rig.admin, "held").path("jobsHeld").asBoolean(true)).isFalse();
  }

  @Test
  void failingCheck_onlyShows_unlessItHoldsJobs() {
    group("shown", Reply.of(500), "");
    awaitStatus("shown", "failing");
    assertThat(health(rig.admin, "shown").path("jobsHeld").asBoolean(true)).isFalse();
    rig.await(rig.enqueue("shown", "/shown-job", ""), "COMPLETED");
  }

  @Test
  void check_passesByStatusAndBody() {
    group("body", new Reply(200, Map.of(), "all is well"), ",\"expectBody\":\"is well\"");
    group("no-body", new Reply(200, Map.of(), "all is lost"), ",\"expectBody\":\"is well\"");
    group("status", Reply.of(418), ",\"expectStatus\":[418,200]");
    awaitStatus("body", "passing");
    awaitStatus("no-body", "failing");
    assertThat(health(rig.admin, "no-body").path("detail").asString())
        .contains("without the expected text");
    awaitStatus("status", "passing");
  }

  @Test
  void receiverThatIsNotThere_fails_withTheReason() {
    rig.group(
        "away", ",\"healthCheck\":{\"endpoint\":\"http://127.0.0.1:1/x\",\"interval\":\"1s\"}");
    awaitStatus("away", "failing");
    JsonNode check = health(rig.admin, "away").at("/checks/0");
    assertThat(check.path("reason").asString()).contains("no connection to http://127.0.0.1:1/x");
    assertThat(check.path("status").isNull()).isTrue();
  }

  @Test
  void changedCheck_beginsAnew_andNoCheckIsUnknown() {
    group("changed", Reply.of(500), ",\"holdJobs\":true,\"failureThreshold\":100");
    awaitStatus("changed", "failing");
    rig.admin.put(
        "/v1/url-groups/changed",
        "{\"healthCheck\":{\"endpoint\":\"/fine\",\"interval\":\"24h\",\"holdJobs\":true}}");
    awaitStatus("changed", "passing");
    rig.admin.put("/v1/url-groups/changed", "{\"healthCheck\":null}");
    JsonNode none = health(rig.admin, "changed");
    assertThat(none.path("status").asString()).isEqualTo("unknown");
    assertThat(none.path("detail").asString()).isEqualTo("no health check is set");
  }
}
