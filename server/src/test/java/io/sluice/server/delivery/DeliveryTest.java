package io.sluice.server.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.Receiver;
import io.sluice.server.Receiver.Got;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.Rig;
import io.sluice.server.TestServer;
import io.sluice.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** HTTP jobs through the whole server to a real receiver on loopback. */
@Tag("slow")
class DeliveryTest {
  private static final String BODY = ",\"body\":{\"a\":1}";
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static Rig rig;
  private static Receiver receiver;

  @BeforeAll
  static void start() {
    rig = new Rig();
    receiver = rig.receiver;
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static String quick(int attempts) {
    return ",\"retry\":{\"maxAttempts\":%d,\"initialDelay\":\"10ms\",\"multiplier\":1}"
        .formatted(attempts);
  }

  private static String rotate(String group, String body) {
    return rig.admin.post("/v1/url-groups/" + group + "/secrets/rotate", body).text("/secret");
  }

  private static JsonNode lastError(JsonNode job) {
    return job.path("errors").path(job.path("errors").size() - 1);
  }

  private static byte[] hmac(String secret, String text) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void request_carriesEveryHeader_andASignatureThatOthersVerify() throws Exception {
    rig.group("signed", ",\"defaultHeaders\":{\"x-group\":\"g\"}");
    String secret = rotate("signed", null);
    String id = rig.enqueue(
        "signed",
        "/signed?x=1",
        ",\"headers\":{\"x-own\":\"o\"},\"body\":{\"n\":1.10},\"metadata\":{\"traceparent\":\"%s\"}"
            .formatted(TRACE));

    Got got = receiver.await("/signed", 1);
    assertThat(got.method()).isEqualTo("POST");
    assertThat(got.uri()).isEqualTo("/signed?x=1");
    assertThat(got.body()).isEqualTo("{\"n\":1.10}");
    assertThat(got.header("x-group") + got.header("x-own")).isEqualTo("go");
    assertThat(got.header("user-agent")).startsWith("Sluice/");
    assertThat(got.header("sluice-job-id")).isEqualTo(id);
    assertThat(got.header("sluice-attempt")).isEqualTo("1");
    assertThat(got.header("sluice-queue")).isEqualTo("default");
    assertThat(got.header("traceparent")).isEqualTo(TRACE);
    assertThat(got.header("content-type")).isEqualTo("application/json");
    assertThat(got.header("webhook-id")).isEqualTo(id);
    new Webhook(secret).verify(got.body(), got.headers());
    assertThatThrownBy(() -> new Webhook(secret).verify(got.body() + " ", got.headers()))
        .isInstanceOf(WebhookVerificationException.class);
    assertThat(rig.await(id, "COMPLETED").at("/result/status").asInt()).isEqualTo(200);
  }

  @Test
  void rotation_signsWithBothSecrets_untilTheOverlapIsOver() throws Exception {
    rig.group("turning", "");
    String old = rotate("turning", null);
    String next = rotate("turning", null);
    rig.enqueue("turning", "/turning", BODY);
    Got both = receiver.await("/turning", 1);
    new Webhook(old).verify(both.body(), both.headers());
    new Webhook(next).verify(both.body(), both.headers());

    String last = rotate("turning", "{\"overlap\":\"0s\"}");
    Eventually.await("the old secrets are gone", () -> {
      rig.await(rig.enqueue("turning", "/turning", BODY), "COMPLETED");
      Got got = receiver.got("/turning").getLast();
      return verifies(last, got) && !verifies(next, got) && !verifies(old, got);
    });
  }

  private static boolean verifies(String secret, Got got) {
    try {
      new Webhook(secret).verify(got.body(), got.headers());
      return true;
    } catch (WebhookVerificationException | EmptyWebhookSecretException e) {
      return false;
    }
  }

  @Test
  void wstashScheme_signsMethodUrlAndBody() throws Exception {
    rig.group("stash", ",\"signing\":{\"scheme\":\"wstash\",\"secrets\":[\"a plain secret\"]}");
    rig.enqueue("stash", "/stash", BODY);
    Got got = receiver.await("/stash", 1);
    String signed = "POST" + receiver.url() + "/stash" + got.body();
    assertThat(got.header("sluice-signature"))
        .isEqualTo(Base64.getEncoder().encodeToString(hmac("a plain secret", signed)));
  }

  @Test
  void everyKindOfAuth_isSent() throws Exception {
    assertThat(sentWith("bearer", "\"token\":\"t-1\"").header("authorization"))
        .isEqualTo("Bearer t-1");
    assertThat(sentWith("basic", "\"username\":\"u\",\"password\":\"p\"").header("authorization"))
        .isEqualTo("Basic dTpw");
    assertThat(sentWith("header", "\"name\":\"x-api-key\",\"value\":\"k-1\"").header("x-api-key"))
        .isEqualTo("k-1");
    assertThat(sentWith("hmac", "\"header\":\"x-sum\",\"secret\":\"s-1\"").header("x-sum"))
        .isEqualTo(HexFormat.of().formatHex(hmac("s-1", "{\"a\":1}")));
  }

  private static Got sentWith(String type, String fields) {
    rig.group("auth-" + type, ",\"auth\":{\"type\":\"%s\",%s}".formatted(type, fields));
    rig.enqueue("auth-" + type, "/auth/" + type, BODY);
    return receiver.await("/auth/" + type, 1);
  }

  @Test
  void failures_areRetriedByTheirStatus() {
    AtomicInteger calls = new AtomicInteger();
    receiver.answer("/flaky", got -> Reply.of(calls.incrementAndGet() < 3 ? 503 : 200));
    receiver.answer("/missing", got -> Reply.of(404));
    rig.group("statuses", "");
    String flaky = rig.enqueue("statuses", "/flaky", quick(5));
    String missing = rig.enqueue("statuses", "/missing", quick(5));
    assertThat(rig.await(flaky, "COMPLETED").path("attempt").asInt()).isEqualTo(3);
    assertThat(receiver.got("/flaky").stream().map(g -> g.header("sluice-attempt")))
        .containsExactly("1", "2", "3");
    assertThat(
            receiver.got("/flaky").stream().map(g -> g.header("sluice-job-id")).distinct())
        .containsExactly(flaky);
    JsonNode dead = rig.await(missing, "DEAD");
    assertThat(dead.path("attempt").asInt()).isEqualTo(1);
    assertThat(lastError(dead).path("status").asInt()).isEqualTo(404);
    JsonNode metrics = rig.admin.get("/v1/url-groups/statuses/metrics").body();
    assertThat(metrics.at("/jobs/COMPLETED").asInt()).isEqualTo(1);
    assertThat(metrics.at("/jobs/DEAD").asInt()).isEqualTo(1);
    assertThat(metrics.path("failureRate").asDouble()).isEqualTo(0.5);
  }

  @Test
  void retryAfter_isObeyed() {
    receiver.answer("/later", got -> Reply.of(429).with("Retry-After", "3600"));
    rig.group("patient", "");
    JsonNode waiting = rig.await(rig.enqueue("patient", "/later", quick(5)), "RETRYING");
    Duration wait = Duration.between(
        Instant.parse(lastError(waiting).path("at").asString()),
        Instant.parse(waiting.path("runAt").asString()));
    assertThat(wait).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
  }

  @Test
  void groupsPolicy_isInForce_unlessTheJobHasItsOwn() {
    receiver.answer("/down", got -> Reply.of(500));
    rig.group("once", ",\"retry\":{\"maxAttempts\":1}");
    String byGroup = rig.enqueue("once", "/down", "");
    String byJob = rig.enqueue("once", "/down", quick(2));
    assertThat(rig.await(byGroup, "DEAD").path("attempt").asInt()).isEqualTo(1);
    assertThat(rig.await(byJob, "DEAD").path("attempt").asInt()).isEqualTo(2);
  }

  @Test
  void change_takesEffect_onJobsThatWait() {
    receiver.answer("/old/moving", got -> Reply.of(503));
    rig.group("moving", "");
    move("/old");
    String id = rig.enqueue(
        "moving",
        "/moving",
        ",\"retry\":{\"maxAttempts\":1000,\"initialDelay\":\"50ms\",\"multiplier\":1}");
    receiver.await("/old/moving", 1);
    move("/new");
    rig.await(id, "COMPLETED");
    assertThat(receiver.got("/new/moving")).hasSize(1);
  }

  private static void move(String path) {
    Expect.ok(
        200,
        rig.admin.put(
            "/v1/url-groups/moving", "{\"baseUrl\":\"%s\"}".formatted(receiver.url() + path)));
  }

  @Test
  void queuesGroup_takesJobsThatNameNone() {
    rig.group("of-queue", ",\"defaultHeaders\":{\"x-of\":\"queue\"}");
    Expect.ok(201, rig.admin.post("/v1/queues", "{\"name\":\"routed\",\"urlGroup\":\"of-queue\"}"));
    rig.enqueue("{\"queue\":\"routed\",\"path\":\"/routed\"}");
    assertThat(receiver.await("/routed", 1).header("x-of")).isEqualTo("queue");
  }

  @Test
  void anotherTenantsGroup_isNotUsable() {
    rig.group("mine", ",\"auth\":{\"type\":\"bearer\",\"token\":\"mine-only\"}");
    Client stranger = rig.server.tenant("stranger");
    Expect.invalid(
        "urlGroup", stranger.post("/v1/jobs", "{\"urlGroup\":\"mine\",\"path\":\"/mine\"}"));
    Expect.invalid(
        "urlGroup", stranger.post("/v1/queues", "{\"name\":\"q\",\"urlGroup\":\"mine\"}"));
    assertThat(receiver.got("/mine")).isEmpty();
  }

  @Test
  void groupWithWaitingJobs_isDeletedByForceOnly_whichCancelsThem() {
    rig.group("going", "");
    Expect.ok(200, rig.admin.post("/v1/queues/default/pause", null));
    String waiting = rig.enqueue("going", "/going", "");
    Expect.refused(409, "CONFLICT", rig.admin.delete("/v1/url-groups/going"));
    Expect.ok(204, rig.admin.delete("/v1/url-groups/going?force=true"));
    assertThat(rig.state(waiting)).isEqualTo("CANCELLED");
    Expect.ok(200, rig.admin.post("/v1/queues/default/resume", null));
    assertThat(receiver.got("/going")).isEmpty();
  }

  @Test
  void database_isClosedToJobs_evenInsideAnAllowedRange() {
    String id = rig.enqueue("{\"url\":\"http://%s/\"}".formatted(TestServer.databaseAddress()));
    JsonNode error = lastError(rig.await(id, "DEAD"));
    assertThat(error.path("code").asString()).isEqualTo("ADDRESS_REFUSED");
    assertThat(error.path("message").asString()).contains("one of the server's own");
  }

  @Test
  void blockedTarget_isRefused_andDeadWhereItGotInByAnotherWay() {
    try (TestServer strict = TestServer.start()) {
      String url = receiver.url() + "/blocked";
      Expect.invalid("url", strict.admin().post("/v1/jobs", "{\"url\":\"%s\"}".formatted(url)));
      String id = strict.enqueueBySql("http", "{\"url\":\"%s\"}".formatted(url));
      Eventually.await(
          "it is dead",
          () -> strict.admin().get("/v1/jobs/" + id).text("/state").equals("DEAD"));
      JsonNode dead = strict.admin().get("/v1/jobs/" + id).body();
      assertThat(dead.path("attempt").asInt()).isEqualTo(1);
      assertThat(lastError(dead).path("code").asString()).isEqualTo("ADDRESS_REFUSED");
      assertThat(lastError(dead).path("message").asString()).contains("loopback");
      assertThat(receiver.got("/blocked")).isEmpty();
    }
  }

  @Test
  void jobsOwnCredentials_areSent_butNeitherKeptNorShown() {
    String id = rig.enqueue(
        "{\"url\":\"%s/own?token=t-hush&page=2\",\"headers\":{\"Authorization\":\"Bearer b-hush\","
                .formatted(receiver.url())
            + "\"x-plain\":\"seen\"}}");
    Got got = receiver.await("/own", 1);
    assertThat(got.uri()).isEqualTo("/own?token=t-hush&page=2");
    assertThat(got.header("authorization")).isEqualTo("Bearer b-hush");
    JsonNode job = rig.await(id, "COMPLETED");
    assertThat(job.path("url").asString()).endsWith("/own?token=***&page=2");
    assertThat(job.at("/headers/Authorization").asString()).isEqualTo("***");
    assertThat(job.at("/headers/x-plain").asString()).isEqualTo("seen");
    assertThat(rig.server.dump()).doesNotContain("-hush").contains("seen", "page=2");
  }

  @Test
  void sealedTextOfAnother_isNotOpenedForWhoeverSendsIt() {
    rig.enqueue("{\"url\":\"%s/first?token=t-secret\"}".formatted(receiver.url()));
    receiver.await("/first", 1);
    String dump = rig.server.dump();
    int at = dump.indexOf("/first?token=sluice-sealed:");
    String sealed = dump.substring(at + "/first?token=".length()).split("[\"&]", 2)[0];
    rig.enqueue("{\"url\":\"%s/second?x=%s\",\"headers\":{\"x-y\":\"%s\"}}"
        .formatted(receiver.url(), sealed, sealed));
    Got got = receiver.await("/second", 1);
    assertThat(got.uri()).isEqualTo("/second?x=" + sealed);
    assertThat(got.header("x-y")).isEqualTo(sealed);
  }
}
