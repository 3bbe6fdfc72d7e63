package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.Rig;
import io.sluice.testkit.Eventually;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Groups that get a token by client credentials, on a whole server. */
@Tag("slow")
class GroupAuthTest {
  private static final int JOBS = 200;

  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = new Rig();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static void group(String name, String tokenPath) {
    rig.group(
        name,
        ",\"auth\":{\"type\":\"oauth2\",\"tokenUrl\":\"%s\",\"clientId\":\"c\",\"clientSecret\":\"hush-hush\",\"scope\":\"a\"}"
            .formatted(rig.receiver.url() + tokenPath));
  }

  private static Reply token(String token) {
    return new Reply(
        200, Map.of(), "{\"access_token\":\"%s\",\"expires_in\":600}".formatted(token));
  }

  @Test
  void job_isSentWithTheToken_andTheTestShowsHow() {
    rig.receiver.answer("/token", got -> token("t-1"));
    group("with-token", "/token");
    rig.await(rig.enqueue("with-token", "/a", ""), "COMPLETED");
    assertThat(rig.receiver.await("/a", 1).header("authorization")).isEqualTo("Bearer t-1");
    assertThat(rig.receiver.got("/token")).hasSize(1);

    Client.Reply shown = rig.admin.get("/v1/url-groups/with-token/auth/test");
    assertThat(shown.text("/headers/authorization")).isEqualTo("Bearer ***");
    assertThat(rig.receiver.got("/token")).hasSize(1);

    Client.Reply test = rig.admin.post("/v1/url-groups/with-token/auth/test", null);
    assertThat(test.body().at("/ok").asBoolean()).as(test.raw().body()).isTrue();
    assertThat(test.body().at("/status").asInt()).isEqualTo(200);
    assertThat(test.text("/headers/authorization")).isEqualTo("Bearer ***");
    assertThat(rig.receiver.await("/", 1).method()).isEqualTo("HEAD");
    assertThat(rig.receiver.await("/", 1).header("authorization")).isEqualTo("Bearer t-1");
    assertThat(Instant.parse(test.text("/expiresAt"))).isNotNull();
    assertThat(test.body().at("/durationMs").isNumber()).isTrue();
    assertThat(rig.receiver.got("/token")).hasSize(2);
    Client.Reply read = rig.admin.get("/v1/url-groups/with-token");
    assertThat(read.text("/auth/clientSecret")).isEqualTo("***");
    assertThat(read.text("/auth/scope")).isEqualTo("a");
  }

  @Test
  void trial_isMadeByOperators_asItIsAsked_andOnceInTenSeconds() {
    rig.receiver.answer("/me", got -> Reply.of(403));
    rig.group("tried", ",\"auth\":{\"type\":\"bearer\",\"token\":\"t-9\"}");
    String path = "/v1/url-groups/tried/auth/test";
    Client viewer = rig.admin.withKey(rig.admin
        .post("/v1/tenants/default/keys", "{\"name\":\"v\",\"role\":\"viewer\"}")
        .text("/key"));
    assertThat(viewer.get(path).status()).isEqualTo(200);
    Expect.refused(403, "FORBIDDEN", viewer.post(path, null));
    Expect.invalid("method", rig.admin.post(path, "{\"method\":\"DELETE\"}"));
    Expect.invalid("path", rig.admin.post(path, "{\"path\":\"me\"}"));
    assertThat(rig.receiver.got("/me")).isEmpty();

    Client.Reply refused = rig.admin.post(path, "{\"method\":\"GET\",\"path\":\"/me\"}");
    assertThat(refused.body().at("/ok").asBoolean()).isFalse();
    assertThat(refused.body().at("/status").asInt()).isEqualTo(403);
    assertThat(refused.text("/detail")).contains("403");
    assertThat(rig.receiver.await("/me", 1).header("authorization")).isEqualTo("Bearer t-9");

    Client.Reply again = rig.admin.post(path, "{\"method\":\"GET\",\"path\":\"/me\"}");
    Expect.refused(429, "RATE_LIMITED", again);
    assertThat(Integer.parseInt(again.header("retry-after"))).isBetween(1, 10);
    assertThat(rig.receiver.got("/me")).hasSize(1);
    rig.server.query(
        "update {schema}.url_group set auth_tried_at = now() - interval '11 s' returning name");
    assertThat(rig.admin.post(path, "{\"path\":\"/me\"}").status()).isEqualTo(200);
    assertThat(rig.receiver.await("/me", 2).method()).isEqualTo("HEAD");
  }

  private static int failedAttempts(String group) {
    return rig.admin
        .get("/v1/url-groups/" + group + "/metrics")
        .body()
        .at("/deliveries/failedByClass/NETWORK")
        .asInt(0);
  }

  @Test
  void endpointThatIsDown_hasJobsWait_andIsAskedOnceWhenItIsBack() {
    AtomicBoolean back = new AtomicBoolean();
    AtomicInteger granted = new AtomicInteger();
    rig.receiver.answer("/shaky", got -> {
      if (!back.get()) {
        return Reply.of(503);
      }
      granted.incrementAndGet();
      return token("t-3");
    });
    group("shaky", "/shaky");
    String job = "{\"urlGroup\":\"shaky\",\"path\":\"/c\","
        + "\"retry\":{\"maxAttempts\":500,\"initialDelay\":\"1s\",\"multiplier\":1}}";
    JsonNode jobs = Expect.ok(
        201,
        rig.admin.post(
            "/v1/jobs/batch",
            "{\"jobs\":[" + String.join(",", Collections.nCopies(JOBS, job)) + "]}"));
    Eventually.await("all were tried", () -> failedAttempts("shaky") >= JOBS);
    int down = rig.receiver.got("/shaky").size();
    int attempts = failedAttempts("shaky");
    assertThat(rig.receiver.got("/c")).isEmpty();
    assertThat(rig.job(jobs.at("/items/0/id").asString()).at("/errors/0/class").asString())
        .isEqualTo("NETWORK");
    back.set(true);
    Eventually.await("all are delivered", () -> rig.receiver.got("/c").size() == JOBS);
    System.out.printf(
        "oauth2 on a server: %d jobs, endpoint down: %d attempts, %d token calls; back: %d token call(s), all delivered%n",
        JOBS, attempts, down, granted.get());
    assertThat(granted).hasValue(1);
    assertThat(down).isLessThan(10);
  }

  @Test
  void refusedCredentials_areNamedByTheTest_andTheJobWaitsUntilTheyAreMended() {
    rig.receiver.answer(
        "/refuses", got -> new Reply(401, Map.of(), "{\"error\":\"invalid_client\"}"));
    rig.receiver.answer("/grants", got -> token("t-2"));
    group("refused", "/refuses");
    Client.Reply test = rig.admin.post("/v1/url-groups/refused/auth/test", null);
    assertThat(test.body().at("/ok").asBoolean()).isFalse();
    assertThat(test.text("/detail"))
        .contains("does not accept the client id and secret", "/refuses answered 401");
    assertThat(test.body().at("/headers").size()).isZero();

    String job = rig.enqueue(
        "refused",
        "/b",
        ",\"retry\":{\"maxAttempts\":50,\"initialDelay\":\"100ms\",\"multiplier\":1}");
    JsonNode waiting = rig.await(job, "RETRYING");
    assertThat(waiting.at("/errors/0/class").asString()).isEqualTo("NETWORK");
    assertThat(waiting.at("/errors/0/code").asString()).isEqualTo("TOKEN_REFUSED");
    assertThat(rig.receiver.got("/b")).isEmpty();
    rig.admin.post(
        "/v1/url-groups/refused/auth",
        "{\"type\":\"oauth2\",\"tokenUrl\":\"%s\",\"clientId\":\"c\",\"clientSecret\":\"better\"}"
            .formatted(rig.receiver.url() + "/grants"));
    rig.await(job, "COMPLETED");
    assertThat(rig.receiver.await("/b", 1).header("authorization")).isEqualTo("Bearer t-2");
  }
}
