package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.Rig;
import io.sluice.server.TestServer;
import io.sluice.testkit.Eventually;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What two instances did for a group, as both of them tell it. */
@Tag("slow")
class GroupFiguresTest {
  private static final String ONCE = ",\"retry\":{\"maxAttempts\":1}";

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

  private static JsonNode metrics(Client client, String group) {
    return Expect.ok(200, client.get("/v1/url-groups/" + group + "/metrics?window=1h"));
  }

  private static void awaitCounts(String group, int delivered, int failed) {
    for (Client client : List.of(rig.admin, sibling.admin())) {
      Eventually.await("figures of both", () -> {
        JsonNode deliveries = metrics(client, group).path("deliveries");
        return deliveries.path("delivered").asInt() == delivered
            && deliveries.path("failed").asInt() == failed;
      });
    }
  }

  @Test
  void figures_areRightAcrossInstances() {
    rig.receiver.answer("/fails", got -> new Reply(503, Map.of(), "no"));
    rig.receiver.answer("/refuses", got -> Reply.of(422));
    rig.group("counted", "");
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      jobs.add(rig.enqueue("counted", "/works", ""));
    }
    for (int i = 0; i < 4; i++) {
      jobs.add(rig.enqueue("counted", "/fails", ONCE));
      jobs.add(rig.enqueue("counted", "/refuses", ONCE));
    }
    Eventually.await(
        "all have ended",
        () ->
            jobs.stream().noneMatch(job -> Set.of("PENDING", "RUNNING").contains(rig.state(job))));
    awaitCounts("counted", 60, 8);
    JsonNode metrics = metrics(sibling.admin(), "counted");
    assertThat(metrics.at("/deliveries/failedByClass").toString())
        .isEqualTo("{\"SERVER\":4,\"VALIDATION\":4}");
    assertThat(metrics.at("/deliveries/deliveredPerMinute").asDouble()).isBetween(0.9, 1.0);
    assertThat(metrics.at("/latencyMs/p50").asDouble()).isPositive();
    assertThat(metrics.at("/latencyMs/p99").asDouble())
        .isGreaterThanOrEqualTo(metrics.at("/latencyMs/p50").asDouble());
    assertThat(metrics.at("/lastErrors").size()).isEqualTo(8);
    assertThat(metrics.at("/lastErrors/0/message").asString()).contains("the receiver answered");
    assertThat(metrics.at("/jobs/COMPLETED").asInt()).isEqualTo(60);
    // A row for each minute and instance, however much was delivered.
    assertThat(rig.server.query("select 1 from {schema}.url_group_minute").size())
        .isLessThanOrEqualTo(8);
    // Two instances did it, and each wrote its own.
    assertThat(rig.server.query("select distinct instance from {schema}.url_group_minute"))
        .isNotEmpty();
  }

  @Test
  void deliveries_areListedNewestFirst_byPages() {
    rig.receiver.answer("/fails-2", got -> Reply.of(500));
    rig.group("listed", "");
    List<String> jobs = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      jobs.add(rig.enqueue("listed", i % 2 == 0 ? "/works" : "/fails-2", ONCE));
      String job = jobs.getLast();
      Eventually.await("ended", () -> Set.of("COMPLETED", "DEAD").contains(rig.state(job)));
    }
    awaitCounts("listed", 3, 3);
    List<String> seen = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page =
          Expect.ok(200, sibling.admin().get("/v1/url-groups/listed/deliveries?limit=2" + cursor));
      seen.addAll(Expect.texts(page.path("items"), "jobId"));
      cursor = page.path("nextCursor").isNull()
          ? ""
          : "&cursor=" + page.path("nextCursor").asString();
    } while (!cursor.isEmpty());
    assertThat(seen).containsExactlyInAnyOrderElementsOf(jobs);
    JsonNode failed = Expect.ok(200, rig.admin.get("/v1/url-groups/listed/deliveries?failed=true"));
    assertThat(new HashSet<>(Expect.texts(failed.path("items"), "jobId")))
        .containsExactlyInAnyOrder(jobs.get(1), jobs.get(3), jobs.get(5));
    JsonNode one = failed.at("/items/0");
    assertThat(one.path("class").asString()).isEqualTo("SERVER");
    assertThat(one.path("code").asString()).isEqualTo("HTTP_500");
    assertThat(one.path("status").asInt()).isEqualTo(500);
    assertThat(one.path("attempt").asInt()).isEqualTo(1);
    assertThat(one.path("durationMs").isNumber()).isTrue();
  }

  @Test
  void prometheus_hasGroups() {
    rig.group("scraped", "");
    rig.await(rig.enqueue("scraped", "/works", ""), "COMPLETED");
    String lines = rig.admin.get("/metrics").raw().body()
        + sibling.admin().get("/metrics").raw().body();
    assertThat(lines)
        .contains(
            "sluice_url_group_delivery_seconds_count{group=\"scraped\",outcome=\"delivered\",tenant=\"default\"} 1");
  }
}
