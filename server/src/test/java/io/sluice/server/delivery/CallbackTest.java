package io.sluice.server.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.Receiver;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.Rig;
import io.sluice.testkit.Eventually;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whoever asked to be told how a job ended is told. */
class CallbackTest {
  private static Rig rig;
  private static Receiver receiver;

  @BeforeAll
  static void start() {
    rig = new Rig();
    receiver = rig.receiver;
    receiver.answer("/fine", got -> new Reply(200, Map.of("x-r", "1"), "well done"));
    receiver.answer("/bad", got -> new Reply(500, Map.of(), "no way"));
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static String enqueue(String path, String success, String failure, String more) {
    String url = receiver.url();
    return rig.enqueue(
        "{\"url\":\"%s\",\"callbackUrl\":\"%s\",\"failureCallbackUrl\":\"%s\",\"retry\":{\"maxAttempts\":1}%s}"
            .formatted(url + path, url + success, url + failure, more));
  }

  private static JsonNode told(String path) {
    return new JsonMapper().readTree(receiver.await(path, 1).body());
  }

  private static JsonNode callbacksOf(String id) {
    Client.Reply found =
        rig.admin.get("/v1/jobs?idempotencyKey=sluice:failure-callback:" + id + ":0");
    return found.body().path("items");
  }

  @Test
  void success_isTold_withTheAnswer() {
    String id = enqueue("/fine", "/done?token=hush", "/never", "");
    JsonNode body = told("/done");
    assertThat(receiver.await("/done", 1).uri()).isEqualTo("/done?token=hush");
    assertThat(body.path("jobId").asString()).isEqualTo(id);
    assertThat(body.path("state").asString()).isEqualTo("COMPLETED");
    assertThat(body.path("status").asInt()).isEqualTo(200);
    assertThat(body.path("body").asString()).isEqualTo("well done");
    assertThat(rig.await(id, "COMPLETED").path("callbackUrl").asString())
        .endsWith("/done?token=***");
    assertThat(receiver.got("/never")).isEmpty();
    assertThat(rig.server.dump()).doesNotContain("token=hush");
  }

  @Test
  void failure_isTold_withTheReason_andAgainAfterAReplay() {
    String id = enqueue("/bad", "/never", "/failed?token=hush", "");
    JsonNode body = told("/failed");
    assertThat(callbacksOf(id).at("/0/method").asString()).isEqualTo("POST");
    assertThat(body.path("jobId").asString()).isEqualTo(id);
    assertThat(body.path("state").asString()).isEqualTo("DEAD");
    assertThat(body.path("status").asInt()).isEqualTo(500);
    assertThat(body.path("body").asString()).isEqualTo("no way");
    assertThat(body.at("/error/class").asString()).isEqualTo("SERVER");
    assertThat(body.at("/error/reason").asString()).isEqualTo("MAX_RETRIES_EXCEEDED");
    assertThat(rig.server.dump()).doesNotContain("token=hush");

    assertThat(rig.admin.post("/v1/dlq/" + id + "/replay", null).status()).isEqualTo(200);
    assertThat(receiver.await("/failed", 2).uri()).isEqualTo("/failed?token=hush");
    assertThat(receiver.got("/never")).isEmpty();
  }

  @Test
  void callback_isNotKeptAwayByAKeyOfSomebodyElse() {
    for (String key : new String[] {"sluice:callback:x", "sluice:"}) {
      Client.Reply refused = rig.admin.post(
          "/v1/jobs", "{\"type\":\"decoy\",\"idempotencyKey\":\"%s\"}".formatted(key));
      Expect.invalid("idempotencyKey", refused);
      assertThat(refused.text("/errors/0/message")).contains("must not begin with sluice:");
      Expect.invalid(
          "idempotencyKey",
          rig.admin.send("POST", "/v1/jobs", "{\"type\":\"decoy\"}", "Idempotency-Key", key));
      Expect.invalid(
          "jobs[0].idempotencyKey",
          rig.admin.post(
              "/v1/jobs/batch",
              "{\"jobs\":[{\"type\":\"decoy\",\"idempotencyKey\":\"%s\"}]}".formatted(key)));
    }
    String later = enqueue("/fine", "/not-kept-away", "/never", ",\"delay\":\"1s\"");
    Expect.ok(
        201,
        rig.admin.post(
            "/v1/jobs",
            "{\"type\":\"decoy\",\"idempotencyKey\":\"callback:%s\"}".formatted(later)));
    assertThat(told("/not-kept-away").path("jobId").asString()).isEqualTo(later);
  }

  @Test
  void failedJob_isNeverSeenWithoutItsCallback() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      ids.add(enqueue("/bad", "/never", "/many", ""));
    }
    for (String id : ids) {
      rig.await(id, "DEAD");
      assertThat(callbacksOf(id).size()).isEqualTo(1);
    }
    receiver.await("/many", 30);
  }

  @Test
  void callbackThatFails_isDeadLikeAnyJob_andHasNoCallbackOfItsOwn() {
    receiver.answer("/deaf", got -> Reply.of(404));
    String id = enqueue("/bad", "/never", "/deaf", "");
    receiver.await("/deaf", 1);
    Eventually.await(
        "the callback is dead",
        () -> callbacksOf(id).path(0).path("state").asString().equals("DEAD"));
    assertThat(rig.admin.get("/v1/jobs?q=/deaf").body().path("items").size()).isEqualTo(2);
  }

  @Test
  void fullQueue_takesCallbacksAllTheSame() {
    Expect.ok(201, rig.admin.post("/v1/queues", "{\"name\":\"full\",\"maxSize\":1}"));
    String queue = ",\"queue\":\"full\"";
    String done = enqueue("/fine", "/done-of-full", "/never", queue);
    assertThat(told("/done-of-full").path("jobId").asString()).isEqualTo(done);
    assertThat(rig.await(done, "COMPLETED").path("attempt").asInt()).isEqualTo(1);
    Eventually.await(
        "there is room again",
        () -> rig.admin.get("/v1/queues/full").body().path("size").asInt() == 0);
    String dead = enqueue("/bad", "/never", "/failed-of-full", queue);
    assertThat(told("/failed-of-full").path("jobId").asString()).isEqualTo(dead);
  }

  @Test
  void jobOutOfTime_isToldAsWell() {
    receiver.answer("/slow", got -> {
      Eventually.await("the sender has given up", () -> !receiver.got("/late").isEmpty());
      return Reply.of(200);
    });
    enqueue("/slow", "/never", "/late", ",\"timeout\":\"500ms\"");
    assertThat(told("/late").at("/error/class").asString()).isEqualTo("TIMEOUT");
  }
}
