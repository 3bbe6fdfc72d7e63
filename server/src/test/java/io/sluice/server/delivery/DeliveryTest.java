package io.sluice.server.delivery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.EmptyWebhookSecretException;
import com.standardwebhooks.exceptions.WebhookVerificationException;
import io.sluice.Defaults;
import io.sluice.JobRecord;
import io.sluice.JobRequest;
import io.sluice.JobState;
import io.sluice.Metadata;
import io.sluice.RetryPolicy;
import io.sluice.http.HttpCall;
import io.sluice.http.JsonValue;
import io.sluice.server.Client;
import io.sluice.server.Receiver;
import io.sluice.server.Receiver.Got;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.TestServer;
import io.sluice.testkit.Eventually;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** HTTP jobs through the whole server to a real receiver on loopback. */
class DeliveryTest {
  private static final RetryPolicy QUICK =
      Defaults.RETRY.withDelays(Duration.ofMillis(1), 1, Duration.ofMillis(1));
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static TestServer server;
  private static Client admin;
  private static Receiver receiver;

  @BeforeAll
  static void start() {
    server = TestServer.startAllowing("127.0.0.0/8");
    admin = server.admin();
    receiver = new Receiver();
  }

  @AfterAll
  static void stop() {
    server.close();
    receiver.close();
  }

  private static void group(String name, String more) {
    Client.Reply reply = admin.post(
        "/v1/url-groups",
        "{\"name\":\"%s\",\"baseUrl\":\"%s\"%s}".formatted(name, receiver.url(), more));
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(201);
  }

  private static UUID enqueue(String group, String path) {
    return enqueue(group, HttpCall.toPath(path).withBody(JsonValue.of("{\"a\":1}")), job -> job);
  }

  private static UUID enqueue(String group, HttpCall call, UnaryOperator<JobRequest> more) {
    return server.enqueue(call, job -> more.apply(job.urlGroup(group)));
  }

  private static JobRecord awaitState(UUID job, JobState state) {
    Eventually.await(
        "job is " + state, () -> server.sluice().find(job).orElseThrow().state() == state);
    return server.sluice().find(job).orElseThrow();
  }

  private static byte[] hmac(String secret, String text) throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void request_carriesEveryHeader_andASignatureThatOthersVerify() throws Exception {
    group("signed", ",\"defaultHeaders\":{\"x-group\":\"g\"}");
    String secret = admin.post("/v1/url-groups/signed/secrets/rotate", null).text("/secret");
    HttpCall call = HttpCall.toPath("/signed?x=1")
        .withHeaders(Map.of("x-own", "o"))
        .withBody(JsonValue.of("{\"n\":1.10}"));
    UUID id = enqueue("signed", call, job -> job.metadata(Metadata.NONE.withTraceparent(TRACE)));

    Got got = receiver.await("/signed", 1);
    assertThat(got.method()).isEqualTo("POST");
    assertThat(got.uri()).isEqualTo("/signed?x=1");
    assertThat(got.body()).isEqualTo("{\"n\":1.10}");
    assertThat(got.header("x-group") + got.header("x-own")).isEqualTo("go");
    assertThat(got.header("user-agent")).startsWith("Sluice/");
    assertThat(got.header("sluice-job-id")).isEqualTo(id.toString());
    assertThat(got.header("sluice-attempt")).isEqualTo("1");
    assertThat(got.header("sluice-queue")).isEqualTo("default");
    assertThat(got.header("traceparent")).isEqualTo(TRACE);
    assertThat(got.header("content-type")).isEqualTo("application/json");
    assertThat(got.header("webhook-id")).isEqualTo(id.toString());
    new Webhook(secret).verify(got.body(), got.headers());
    assertThatThrownBy(() -> new Webhook(secret).verify(got.body() + " ", got.headers()))
        .isInstanceOf(WebhookVerificationException.class);
    JobRecord done = awaitState(id, JobState.COMPLETED);
    assertThat(done.status().result()).contains("\"status\":200");
  }

  @Test
  void rotation_signsWithBothSecrets_untilTheOverlapIsOver() throws Exception {
    group("turning", "");
    String old = admin.post("/v1/url-groups/turning/secrets/rotate", null).text("/secret");
    String next = admin.post("/v1/url-groups/turning/secrets/rotate", null).text("/secret");
    enqueue("turning", "/turning");
    Got both = receiver.await("/turning", 1);
    new Webhook(old).verify(both.body(), both.headers());
    new Webhook(next).verify(both.body(), both.headers());

    String last = admin
        .post("/v1/url-groups/turning/secrets/rotate", "{\"overlap\":\"0s\"}")
        .text("/secret");
    Eventually.await("the old secrets are gone", () -> {
      UUID id = enqueue("turning", "/turning");
      awaitState(id, JobState.COMPLETED);
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
    group("stash", ",\"signing\":{\"scheme\":\"wstash\",\"secrets\":[\"a plain secret\"]}");
    enqueue("stash", "/stash");
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
    group("auth-" + type, ",\"auth\":{\"type\":\"%s\",%s}".formatted(type, fields));
    enqueue("auth-" + type, "/auth/" + type);
    return receiver.await("/auth/" + type, 1);
  }

  @Test
  void failures_areRetriedByTheirStatus() {
    AtomicInteger calls = new AtomicInteger();
    receiver.answer("/flaky", got -> Reply.of(calls.incrementAndGet() < 3 ? 503 : 200));
    receiver.answer("/missing", got -> Reply.of(404));
    group("statuses", "");
    UUID flaky =
        enqueue("statuses", HttpCall.toPath("/flaky"), job -> job.retry(QUICK.withMaxAttempts(5)));
    UUID missing = enqueue("statuses", HttpCall.toPath("/missing"), job -> job.retry(QUICK));
    JobRecord done = awaitState(flaky, JobState.COMPLETED);
    assertThat(done.attempt()).isEqualTo(3);
    assertThat(receiver.got("/flaky").stream().map(g -> g.header("sluice-attempt")))
        .containsExactly("1", "2", "3");
    assertThat(
            receiver.got("/flaky").stream().map(g -> g.header("sluice-job-id")).distinct())
        .containsExactly(flaky.toString());
    JobRecord dead = awaitState(missing, JobState.DEAD);
    assertThat(dead.attempt()).isEqualTo(1);
    assertThat(dead.status().errors().getLast().status()).isEqualTo(404);
  }

  @Test
  void retryAfter_isObeyed() {
    receiver.answer("/later", got -> Reply.of(429).with("Retry-After", "3600"));
    group("patient", "");
    UUID id = enqueue("patient", HttpCall.toPath("/later"), job -> job.retry(QUICK));
    JobRecord waiting = awaitState(id, JobState.RETRYING);
    Duration wait = Duration.between(
        waiting.status().errors().getLast().at(), waiting.status().runAt());
    assertThat(wait).isBetween(Duration.ofMinutes(59), Duration.ofMinutes(61));
  }

  @Test
  void groupsPolicy_isInForce_unlessTheJobHasItsOwn() {
    receiver.answer("/down", got -> Reply.of(500));
    group("once", ",\"retry\":{\"maxAttempts\":1}");
    UUID byGroup = enqueue("once", HttpCall.toPath("/down"), job -> job);
    UUID byJob =
        enqueue("once", HttpCall.toPath("/down"), job -> job.retry(QUICK.withMaxAttempts(2)));
    assertThat(awaitState(byGroup, JobState.DEAD).attempt()).isEqualTo(1);
    assertThat(awaitState(byJob, JobState.DEAD).attempt()).isEqualTo(2);
  }

  @Test
  void change_takesEffect_onJobsThatWait() {
    receiver.answer("/old/moving", got -> Reply.of(503));
    group("moving", "");
    admin.put("/v1/url-groups/moving", "{\"baseUrl\":\"%s/old\"}".formatted(receiver.url()));
    UUID id = enqueue(
        "moving",
        HttpCall.toPath("/moving"),
        job -> job.retry(QUICK
            .withMaxAttempts(1000)
            .withDelays(Duration.ofMillis(50), 1, Duration.ofMillis(50))));
    receiver.await("/old/moving", 1);
    admin.put("/v1/url-groups/moving", "{\"baseUrl\":\"%s/new\"}".formatted(receiver.url()));
    awaitState(id, JobState.COMPLETED);
    assertThat(receiver.got("/new/moving")).hasSize(1);
  }

  @Test
  void anotherTenantsGroup_isNotUsable() {
    group("mine", ",\"auth\":{\"type\":\"bearer\",\"token\":\"mine-only\"}");
    UUID id = enqueue("mine", HttpCall.toPath("/mine"), job -> job.tenant("stranger"));
    JobRecord dead = awaitState(id, JobState.DEAD);
    assertThat(dead.status().errors().getLast().code()).isEqualTo("GROUP_NOT_FOUND");
    assertThat(receiver.got("/mine")).isEmpty();
  }

  @Test
  void database_isClosedToJobs_evenInsideAnAllowedRange() {
    UUID id =
        server.enqueue(HttpCall.to("http://" + TestServer.databaseAddress() + "/"), job -> job);
    JobRecord dead = awaitState(id, JobState.DEAD);
    assertThat(dead.status().errors().getLast().code()).isEqualTo("ADDRESS_REFUSED");
    assertThat(dead.status().errors().getLast().message()).contains("one of the server's own");
  }

  @Test
  void blockedTarget_isDead_withAReason() {
    try (TestServer strict = TestServer.start()) {
      UUID id = strict.enqueue(HttpCall.to(receiver.url() + "/blocked"), job -> job);
      Eventually.await(
          "it is dead", () -> strict.sluice().find(id).orElseThrow().state() == JobState.DEAD);
      JobRecord dead = strict.sluice().find(id).orElseThrow();
      assertThat(dead.attempt()).isEqualTo(1);
      assertThat(dead.status().errors().getLast().code()).isEqualTo("ADDRESS_REFUSED");
      assertThat(dead.status().errors().getLast().message()).contains("loopback");
      assertThat(receiver.got("/blocked")).isEmpty();
    }
  }

  @Test
  void jobsOwnCredentials_areSent_butNeitherKeptNorShown() {
    HttpCall call = HttpCall.to(receiver.url() + "/own?token=t-hush&page=2")
        .withHeaders(Map.of("Authorization", "Bearer b-hush", "x-plain", "seen"));
    UUID id = server.enqueue(call, job -> job);
    Got got = receiver.await("/own", 1);
    assertThat(got.uri()).isEqualTo("/own?token=t-hush&page=2");
    assertThat(got.header("authorization")).isEqualTo("Bearer b-hush");
    awaitState(id, JobState.COMPLETED);
    assertThat(server.dump()).doesNotContain("-hush").contains("seen", "page=2");
  }
}
