package io.sluice.server.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Defaults;
import io.sluice.JobFilter;
import io.sluice.JobState;
import io.sluice.RetryPolicy;
import io.sluice.http.HttpCall;
import io.sluice.server.Receiver;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.TestServer;
import io.sluice.testkit.Eventually;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Whoever asked to be told how a job ended is told. */
class CallbackTest {
  private static final RetryPolicy ONCE = Defaults.RETRY.withMaxAttempts(1);

  private static TestServer server;
  private static Receiver receiver;

  @BeforeAll
  static void start() {
    server = TestServer.startAllowing("127.0.0.0/8");
    receiver = new Receiver();
    receiver.answer("/fine", got -> new Reply(200, java.util.Map.of("x-r", "1"), "well done"));
    receiver.answer("/bad", got -> new Reply(500, java.util.Map.of(), "no way"));
  }

  @AfterAll
  static void stop() {
    server.close();
    receiver.close();
  }

  private static HttpCall call(String path, String success, String failure) {
    String url = receiver.url();
    return HttpCall.to(url + path).withCallbacks(url + success, url + failure);
  }

  private static JsonNode told(String path) {
    return new JsonMapper().readTree(receiver.await(path, 1).body());
  }

  private static JobState state(UUID job) {
    return server.sluice().find(job).orElseThrow().state();
  }

  @Test
  void success_isTold_withTheAnswer() {
    UUID id = server.enqueue(call("/fine", "/done?token=hush", "/never"), job -> job);
    JsonNode body = told("/done");
    assertThat(receiver.await("/done", 1).uri()).isEqualTo("/done?token=hush");
    assertThat(body.at("/jobId").asString()).isEqualTo(id.toString());
    assertThat(body.at("/state").asString()).isEqualTo("COMPLETED");
    assertThat(body.at("/status").asInt()).isEqualTo(200);
    assertThat(body.at("/body").asString()).isEqualTo("well done");
    Eventually.await("it is done", () -> state(id) == JobState.COMPLETED);
    assertThat(receiver.got("/never")).isEmpty();
    assertThat(server.dump()).doesNotContain("token=hush");
  }

  @Test
  void failure_isTold_withTheReason_andAgainAfterAReplay() {
    UUID id = server.enqueue(call("/bad", "/never", "/failed?token=hush"), job -> job.retry(ONCE));
    JsonNode body = told("/failed");
    assertThat(body.at("/jobId").asString()).isEqualTo(id.toString());
    assertThat(body.at("/state").asString()).isEqualTo("DEAD");
    assertThat(body.at("/status").asInt()).isEqualTo(500);
    assertThat(body.at("/body").asString()).isEqualTo("no way");
    assertThat(body.at("/error/class").asString()).isEqualTo("SERVER");
    assertThat(body.at("/error/reason").asString()).isEqualTo("MAX_RETRIES_EXCEEDED");
    assertThat(server.dump()).doesNotContain("token=hush");

    Eventually.await("it can be replayed", () -> server.sluice().replay(id));
    assertThat(receiver.await("/failed", 2).uri()).isEqualTo("/failed?token=hush");
    assertThat(receiver.got("/never")).isEmpty();
  }

  @Test
  void failedJob_isNeverSeenWithoutItsCallback() {
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      ids.add(server.enqueue(call("/bad", "/never", "/many"), job -> job.retry(ONCE)));
    }
    for (UUID id : ids) {
      Eventually.await("it is dead", () -> state(id) == JobState.DEAD);
      String key = "failure-callback:" + id + ":0";
      assertThat(server
              .sluice()
              .page(JobFilter.all().withIdempotencyKey(key), null, 2)
              .items())
          .hasSize(1);
    }
    receiver.await("/many", 30);
  }

  @Test
  void callbackThatFails_isRetriedLikeAnyJob_andHasNoCallbackOfItsOwn() {
    receiver.answer("/deaf", got -> Reply.of(404));
    UUID id = server.enqueue(call("/bad", "/never", "/deaf"), job -> job.retry(ONCE));
    receiver.await("/deaf", 1);
    String key = "failure-callback:" + id + ":0";
    Eventually.await(
        "the callback is dead",
        () ->
            server.sluice().page(JobFilter.all().withIdempotencyKey(key), null, 2).items().stream()
                .allMatch(job -> job.state() == JobState.DEAD));
    assertThat(server
            .sluice()
            .page(JobFilter.all().createdBetween(null, null).containing("/deaf"), null, 10)
            .items())
        .hasSize(2);
  }

  @Test
  void jobWithoutATimeLimitLeft_isToldAsWell() {
    receiver.answer("/slow", got -> {
      Eventually.await("the sender has given up", () -> !receiver.got("/late").isEmpty());
      return Reply.of(200);
    });
    server.enqueue(
        call("/slow", "/never", "/late"), job -> job.retry(ONCE).timeout(Duration.ofMillis(500)));
    assertThat(told("/late").at("/error/class").asString()).isEqualTo("TIMEOUT");
  }
}
