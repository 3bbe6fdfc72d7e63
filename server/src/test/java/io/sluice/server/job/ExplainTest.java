package io.sluice.server.job;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static io.sluice.server.Expect.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ReasonCode;
import io.sluice.server.Client;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.Rig;
import io.sluice.testkit.Eventually;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Why a job does not run, over REST, with what only the server knows of it. */
class ExplainTest {
  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = new Rig();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static JsonNode explained(Client client, String job) {
    return ok(200, client.get("/v1/jobs/" + job + "/explain"));
  }

  private static String enqueued(Client client, String json) {
    return ok(201, client.post("/v1/jobs", json)).path("id").asString();
  }

  private static String millis(JsonNode time) {
    return Instant.parse(time.asString()).truncatedTo(ChronoUnit.MILLIS).toString();
  }

  @Test
  void explanation_hasItsStateItsHeadlineAndItsReasons() {
    Client acme = rig.server.tenant("told");
    String job = enqueued(acme, "{\"type\":\"none\",\"runAt\":\"2099-01-01T00:00:00Z\"}");
    JsonNode explained = explained(acme, job);
    assertThat(explained.path("id").asString()).isEqualTo(job);
    assertThat(explained.path("state").asString()).isEqualTo("SCHEDULED");
    assertThat(explained.path("headline").asString())
        .isEqualTo(
            "The job waits: it is scheduled for 2099-01-01T00:00:00Z, and for 1 more reason.");
    assertThat(texts(explained.path("reasons"), "code")).containsExactly("SCHEDULED", "NO_WORKER");
    assertThat(explained.at("/reasons/0").toString())
        .isEqualTo(
            "{\"code\":\"SCHEDULED\",\"message\":\"It is scheduled for 2099-01-01T00:00:00Z.\","
                + "\"until\":\"2099-01-01T00:00:00Z\",\"remedy\":\"It becomes ready at that time.\","
                + "\"details\":{\"runAt\":\"2099-01-01T00:00:00Z\"}}");
    assertThat(explained.at("/reasons/1/until").isNull()).isTrue();
  }

  @Test
  void foreignAndUnknownJobs_areNotFound() {
    String job = enqueued(rig.server.tenant("owner"), "{\"type\":\"none\"}");
    Client other = rig.server.tenant("other");
    refused(404, "NOT_FOUND", other.get("/v1/jobs/" + job + "/explain"));
    refused(404, "NOT_FOUND", other.get("/v1/jobs/nonsense/explain"));
    invalid("x", rig.server.tenant("owner").get("/v1/jobs/" + job + "/explain?x=1"));
  }

  @Test
  void workersOfOtherTenants_areNotTold() {
    Client acme = rig.server.tenant("curious");
    Client rival = rig.server.tenant("rival");
    ok(
        200,
        rival.post("/v1/queues/default/claim", "{\"worker\":\"w-rival\",\"types\":[\"secret\"]}"));
    ok(200, acme.post("/v1/queues/default/claim", "{\"worker\":\"w-own\",\"types\":[\"mail\"]}"));
    JsonNode reason = explained(acme, enqueued(acme, "{\"type\":\"none\"}")).at("/reasons/0");
    assertThat(reason.path("message").asString())
        .startsWith("No live worker handles type 'none' in queue 'default'; those that live handle")
        .contains("'mail' in queue 'default' ('w-own')")
        .doesNotContain("rival", "secret");
  }

  @Test
  void disabledTenant_isTold() {
    Client acme = rig.server.tenant("idle");
    String job = enqueued(acme, "{\"type\":\"none\"}");
    JsonNode tenant = ok(200, rig.admin.put("/v1/tenants/idle", "{\"enabled\":false}"));
    JsonNode reason = explained(acme, job).at("/reasons/0");
    assertThat(reason.path("code").asString()).isEqualTo("TENANT_DISABLED");
    assertThat(reason.path("message").asString())
        .isEqualTo("The tenant 'idle' is disabled, since " + millis(tenant.path("updatedAt"))
            + " at the latest.");
    assertThat(reason.path("remedy").asString()).isEqualTo("Enable the tenant.");
    rig.admin.put("/v1/tenants/idle", "{\"enabled\":true}");
    assertThat(texts(explained(acme, job).path("reasons"), "code")).containsExactly("NO_WORKER");
  }

  @Test
  void disabledGroup_isTold() {
    rig.group("shut", ",\"enabled\":false");
    String job = rig.enqueue("shut", "/never", "");
    JsonNode group = rig.admin.get("/v1/url-groups/shut").body();
    JsonNode reason = explained(rig.admin, job).at("/reasons/0");
    assertThat(reason.path("code").asString()).isEqualTo("GROUP_DISABLED");
    String why = group.path("disabledReason").isNull()
        ? ""
        : ": " + group.path("disabledReason").asString();
    assertThat(reason.path("message").asString())
        .isEqualTo("The URL group 'shut' is disabled since " + millis(group.path("disabledAt"))
            + why + ".");
    assertThat(reason.path("remedy").asString()).isEqualTo("Enable the URL group.");
    assertThat(reason.at("/details/urlGroup").asString()).isEqualTo("shut");
  }

  @Test
  void groupThatItsHealthCheckHolds_isTold() {
    rig.receiver.answer("/ill", got -> Reply.of(503));
    rig.group(
        "ill", ",\"healthCheck\":{\"endpoint\":\"/ill\",\"interval\":\"24h\",\"holdJobs\":true}");
    Eventually.await("the group is held", () -> health().path("jobsHeld").asBoolean());
    String job = rig.enqueue("ill", "/held", "");
    JsonNode health = health();
    String next = millis(health.path("nextCheckAt"));
    JsonNode reason = explained(rig.admin, job).at("/reasons/0");
    assertThat(reason.path("code").asString()).isEqualTo("GROUP_HELD");
    assertThat(reason.path("message").asString())
        .isEqualTo("The URL group 'ill' is held, for its health check fails since "
            + millis(health.path("since")) + ": answered 503, expected 2xx.");
    assertThat(millis(reason.path("until"))).isEqualTo(next);
    assertThat(reason.path("remedy").asString())
        .isEqualTo("It goes on when the check passes; the next one is due at " + next + ".");
  }

  private static JsonNode health() {
    return rig.admin.get("/v1/url-groups/ill/health").body();
  }

  @Test
  void retry_goesByThePolicyOfTheUrlGroup() {
    rig.receiver.answer("/busy", got -> Reply.of(500));
    rig.group("slow", ",\"retry\":{\"maxAttempts\":9,\"initialDelay\":\"1h\",\"maxDelay\":\"1h\"}");
    String job = rig.enqueue("slow", "/busy", "");
    JsonNode failed = rig.await(job, "RETRYING");
    String at = millis(failed.path("runAt"));
    assertThat(explained(rig.admin, job).at("/reasons/0/message").asString())
        .isEqualTo("Retry 1 of 8 is due at " + at + ", after attempt 1 failed with "
            + "SERVER: the receiver answered 500: " + rig.receiver.url() + "/busy.");
  }

  @Test
  void groupWhoseReceiverPushesBack_isTold() {
    rig.receiver.answer("/later", got -> new Reply(429, Map.of("retry-after", "600"), ""));
    rig.group("full", "");
    // Three 429s in a row hold a lane, and two held lanes their group.
    for (String key : List.of("anna", "ben")) {
      for (int i = 0; i < 3; i++) {
        rig.await(rig.enqueue("full", "/later", ",\"limitKey\":\"%s\"".formatted(key)), "RETRYING");
      }
    }
    String job = rig.enqueue("full", "/next", "");
    Eventually.await(
        "the group is held",
        () -> texts(explained(rig.admin, job).path("reasons"), "code").contains("GROUP_HELD"));
    JsonNode reason = explained(rig.admin, job).at("/reasons/0");
    assertThat(reason.path("message").asString())
        .isEqualTo("The URL group 'full' is held, for its receiver asked to be left alone until "
            + millis(reason.path("until")) + ".");
    assertThat(reason.path("remedy").asString())
        .isEqualTo("It goes on at that time; reset the breaker to go on at once.");
    assertThat(rig.state(job)).isEqualTo("PENDING");
  }

  @Test
  void breakerThatAPersonOpened_isTold() {
    rig.group("cut", "");
    ok(200, rig.admin.post("/v1/url-groups/cut/circuit-breaker/open", null));
    JsonNode reason = explained(rig.admin, rig.enqueue("cut", "/never", "")).at("/reasons/0");
    assertThat(reason.path("code").asString()).isEqualTo("BREAKER_OPEN");
    assertThat(reason.path("message").asString())
        .matches("The circuit breaker 'url-group:cut' is forced open since 20\\S+Z\\.");
    assertThat(reason.path("remedy").asString()).isEqualTo("Reset the breaker.");
  }

  @Test
  void fullLimit_isTold_withWhoHoldsIt() {
    Client acme = rig.server.tenant("narrow");
    ok(200, acme.put("/v1/limits/type:slow", "{\"concurrency\":1}"));
    String job = enqueued(acme, "{\"type\":\"slow\"}");
    String next = enqueued(acme, "{\"type\":\"slow\"}");
    JsonNode claimed =
        ok(200, acme.post("/v1/queues/default/claim", "{\"worker\":\"w1\",\"max\":2}"));
    assertThat(claimed.at("/items/0/job/id").asString()).isEqualTo(job);
    JsonNode explained = explained(acme, next);
    assertThat(texts(explained.path("reasons"), "message"))
        .containsExactly("The limit 'type:slow' lets 1 job run at once, and 1 runs: 1 on 'w1'.");
    assertThat(explained.at("/reasons/0/details").toString())
        .isEqualTo("{\"limit\":\"type:slow\",\"running\":1,\"concurrency\":1,"
            + "\"holders\":{\"w1\":1}}");
  }

  @Test
  void document_hasEveryCode() {
    JsonNode codes =
        rig.admin.get("/openapi.json").body().at("/components/schemas/Reason/properties/code/enum");
    assertThat(codes.valueStream().map(JsonNode::asString))
        .containsExactlyElementsOf(
            Arrays.stream(ReasonCode.values()).map(ReasonCode::name).toList());
  }
}
