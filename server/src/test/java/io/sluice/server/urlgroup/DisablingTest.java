package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Expect;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.Rig;
import io.sluice.server.TestServer;
import io.sluice.testkit.Eventually;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Groups that are switched off: by hand, by 410, and after long failure; on two instances. */
@Tag("slow")
class DisablingTest {
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

  private static JsonNode group(String name) {
    return Expect.ok(200, rig.admin.get("/v1/url-groups/" + name));
  }

  private static boolean isEnabled(String name) {
    return group(name).path("enabled").asBoolean();
  }

  private static void set(String name, String fields) {
    Expect.ok(200, rig.admin.put("/v1/url-groups/" + name, fields));
  }

  /** Waits until both instances have looked which groups are held: for checks, one each second. */
  private static void awaitHolds(String name) {
    rig.group(
        "clock-" + name,
        ",\"healthCheck\":{\"endpoint\":\"/clock-%s\",\"interval\":\"1s\"}".formatted(name));
    rig.receiver.await("/clock-" + name, 3);
  }

  @Test
  void disabledGroup_keepsItsJobs_untilItIsEnabled() {
    rig.group("by-hand", "");
    set("by-hand", "{\"enabled\":false}");
    JsonNode off = group("by-hand");
    assertThat(off.path("disabledReason").asString()).isEqualTo("it was switched off by hand");
    assertThat(off.path("disabledAt").isNull()).isFalse();
    awaitHolds("by-hand");
    String job = rig.enqueue("by-hand", "/by-hand", "");
    rig.receiver.await("/clock-by-hand", 5);
    assertThat(rig.state(job)).isEqualTo("PENDING");
    assertThat(rig.receiver.got("/by-hand")).isEmpty();
    set("by-hand", "{\"description\":\"still off\"}");
    assertThat(isEnabled("by-hand")).isFalse();
    set("by-hand", "{\"enabled\":true}");
    assertThat(rig.await(job, "COMPLETED").path("attempt").asInt()).isEqualTo(1);
    assertThat(group("by-hand").path("disabledReason").isNull()).isTrue();
    assertThat(group("by-hand").path("disabledAt").isNull()).isTrue();
  }

  @Test
  void answer410_disablesTheGroup_andTellsWhy() {
    rig.receiver.answer("/gone", got -> Reply.of(410));
    rig.group("gone", "");
    String job = rig.enqueue("gone", "/gone", "");
    JsonNode dead = rig.await(job, "DEAD");
    assertThat(dead.at("/errors/0/class").asString()).isEqualTo("NOT_FOUND");
    assertThat(dead.at("/errors/0/message").asString())
        .endsWith(", and URL group gone is disabled now: enable it before a replay");
    Eventually.await("gone is disabled", () -> !isEnabled("gone"));
    assertThat(group("gone").path("disabledReason").asString())
        .isEqualTo("the receiver answered 410 Gone to job " + job);
    JsonNode audit = rig.admin.get("/v1/audit?action=url-group.disable").body();
    JsonNode entry = audit
        .path("items")
        .valueStream()
        .filter(item -> item.path("object").asString().equals("gone"))
        .findFirst()
        .orElseThrow();
    assertThat(entry.path("actor").asString()).isEqualTo("system");
    assertThat(entry.path("details").asString()).contains("410 Gone");
    String waiting = rig.enqueue("gone", "/back", "");
    set("gone", "{\"enabled\":true}");
    rig.await(waiting, "COMPLETED");
    assertThat(isEnabled("gone")).isTrue();
  }

  @Test
  void lateWord_doesNotDisableAGroupThatWasEnabledSince() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    rig.receiver.answer("/late", got -> {
      asked.countDown();
      try {
        answer.await();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return Reply.of(410);
    });
    rig.group("late", "");
    String job = rig.enqueue("late", "/late", "");
    asked.await();
    set("late", "{\"enabled\":false}");
    set("late", "{\"enabled\":true}");
    answer.countDown();
    assertThat(rig.await(job, "DEAD").at("/errors/0/message").asString())
        .doesNotContain("disabled");
    // The word of the 410 comes before the job's end is written, so it was heard by now.
    assertThat(isEnabled("late")).isTrue();
    rig.await(rig.enqueue("late", "/fine", ""), "COMPLETED");
  }

  /** Has a group fail so often, and waits until all of that is noted. */
  private static void fail(String name, int times) {
    for (int i = 0; i < times; i++) {
      rig.await(rig.enqueue(name, "/fails", ONCE), "DEAD");
    }
    Eventually.await(
        "the failures are noted",
        () -> rig.server
            .query("select r.failures from {schema}.url_group_run r join {schema}.url_group g"
                + " on g.id = r.url_group where g.name = '" + name + "'")
            .contains(String.valueOf(times)));
  }

  private static void agoDays(String name, int days) {
    rig.server.query("update {schema}.url_group_run r set first_failure_at = now() - interval '"
        + days + " days' from {schema}.url_group g where g.id = r.url_group and g.name = '" + name
        + "'");
  }

  @Test
  void longFailure_disablesAGroupThatWantsIt_andEnablingBeginsAnew() {
    rig.receiver.answer("/fails", got -> Reply.of(500));
    rig.group("failing", ",\"disableAfter\":\"5d\"");
    rig.group("patient", "");
    rig.group("lucky", ",\"disableAfter\":\"5d\"");
    fail("failing", 5);
    fail("patient", 5);
    fail("lucky", 4);
    for (String name : List.of("failing", "patient", "lucky")) {
      agoDays(name, 6);
    }
    Eventually.await("failing is disabled", () -> !isEnabled("failing"));
    assertThat(group("failing").path("disabledReason").asString())
        .startsWith("nothing but failures since ")
        .endsWith(", 5 of them");
    assertThat(isEnabled("patient")).isTrue();
    assertThat(isEnabled("lucky")).isTrue();

    set("failing", "{\"enabled\":true}");
    fail("failing", 1);
    assertThat(isEnabled("failing")).isTrue();
    // A success ends what failed before it.
    rig.await(rig.enqueue("lucky", "/fine", ""), "COMPLETED");
    Eventually.await(
        "the success is noted",
        () -> rig.server
            .query("select r.failures from {schema}.url_group_run r join {schema}.url_group g"
                + " on g.id = r.url_group where g.name = 'lucky'")
            .contains("0"));
  }
}
