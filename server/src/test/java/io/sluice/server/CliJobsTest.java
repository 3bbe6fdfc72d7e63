package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Pace;
import io.sluice.cli.Screen;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.Terminal.Ran;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Commands about jobs and dead letters, against a real server and receiver. */
class CliJobsTest {
  private static Rig rig;
  private static Terminal terminal;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    rig = new Rig();
    terminal = Terminal.of(rig.server);
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static Ran ok(String... words) {
    Ran ran = terminal.run(words);
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran;
  }

  /** A job of this type that nobody does. */
  private static String typed(String type, String... more) {
    String[] words = new String[more.length + 4];
    System.arraycopy(new String[] {"enqueue", "--json", "--type", type}, 0, words, 0, 4);
    System.arraycopy(more, 0, words, 4, more.length);
    return ok(words).json().path("id").asString();
  }

  /** A dead letter of this queue. */
  private static String dead(String queue) {
    rig.receiver.answer("/broken", got -> new Reply(500, Map.of(), "out of paper"));
    terminal.run("queues", "create", queue);
    Ran ran = terminal.run(
        "enqueue",
        rig.receiver.url() + "/broken",
        "--max-attempts",
        "1",
        "--queue",
        queue,
        "--wait",
        "--json");
    assertThat(ran.code()).isEqualTo(1);
    return ran.json().path("id").asString();
  }

  @Test
  void enqueue_delivers_andWaitTellsHowItEnded() {
    Ran ran = ok(
        "enqueue",
        rig.receiver.url() + "/orders",
        "-d",
        "{\"order\": 42}",
        "-H",
        "x-shop: a",
        "--wait");
    assertThat(ran.out()).contains("state       COMPLETED", "result      status 200 after ");
    Receiver.Got got = rig.receiver.await("/orders", 1);
    assertThat(got.body()).isEqualTo("{\"order\":42}");
    assertThat(got.header("x-shop")).isEqualTo("a");
    assertThat(got.header("content-type")).startsWith("application/json");
  }

  @Test
  void enqueue_takesGroupsAndFilesAndStandardInput() throws IOException {
    rig.group("shop", "");
    Path body = Files.writeString(folder.resolve("order.json"), "{\"a\": 1}");
    ok("enqueue", "--url-group", "shop", "--path", "/from-file", "-d", "@" + body, "--wait");
    assertThat(rig.receiver.await("/from-file", 1).body()).isEqualTo("{\"a\":1}");
    assertThat(terminal
            .type("plain text", "enqueue", rig.receiver.url() + "/typed", "-d", "-", "--wait")
            .code())
        .isZero();
    assertThat(rig.receiver.await("/typed", 1).body()).isEqualTo("plain text");
    assertThat(terminal
            .type("{\"type\":\"whole\",\"payload\":[1]}", "enqueue", "--from-json", "-", "--json")
            .json()
            .path("state")
            .asString())
        .isEqualTo("PENDING");
  }

  @Test
  void enqueue_saysThatAJobWasThereBefore() {
    String id = typed("twice", "--idempotency-key", "k-1");
    Ran again = ok("enqueue", "--type", "twice", "--idempotency-key", "k-1");
    assertThat(again.out()).isEqualTo(id + " is PENDING in queue default; it was there before\n");
  }

  @Test
  void wait_givesUpAfterItsTime_andFailureHasItsCode() {
    Ran late = terminal.run("enqueue", "--type", "nobody.does", "--wait", "100ms");
    assertThat(late.code()).isEqualTo(1);
    assertThat(late.err()).contains("it is not over yet; 'sluice jobs show ");
    String id = dead("ends");
    Ran shown = ok("dlq", "show", id);
    assertThat(shown.out())
        .contains(
            "state       DEAD", "error 1     SERVER: the receiver answered 500", "out of paper")
        .contains("next        'sluice dlq replay " + id + "' runs it again");
    Ran ended = terminal.run(
        "enqueue",
        rig.receiver.url() + "/broken",
        "--max-attempts",
        "1",
        "--queue",
        "ends",
        "--wait");
    assertThat(ended.out()).contains("next        'sluice dlq replay ");
  }

  @Test
  void show_tellsWhyAJobWaits() {
    String id = typed("nobody.asks");
    String line = "waits      No live worker handles type 'nobody.asks' in queue 'default'; ";
    assertThat(ok("jobs", "show", id).out()).contains(line);
    assertThat(
            terminal.run("enqueue", "--type", "nobody.asks", "--wait", "50ms").out())
        .contains(line);
    ok("queues", "create", "halted");
    ok("queues", "pause", "halted");
    String paused = typed("pulled", "--queue", "halted");
    ok("leases", "claim", "halted", "--worker", "me");
    assertThat(ok("jobs", "show", paused).out())
        .contains("waits      The queue 'halted' is paused, since 20")
        .contains("\n           'sluice queues resume halted' starts it again\n")
        .doesNotContain("No live worker");
    assertThat(ok("jobs", "show", typed("later", "--delay", "1h")).out())
        .contains("waits      It is scheduled for 20");
  }

  @Test
  void explain_tellsEachReason_withWhatWouldChangeIt() {
    ok("queues", "create", "stopped");
    ok("queues", "pause", "stopped");
    String id = typed("nobody.explains", "--queue", "stopped");
    Ran told = ok("jobs", "explain", id);
    assertThat(told.out().lines())
        .satisfiesExactly(
            line -> assertThat(line)
                .startsWith("The job waits: the queue 'stopped' is paused, since 20")
                .endsWith("Z at the latest, and for 1 more reason."),
            line -> assertThat(line).isEmpty(),
            line ->
                assertThat(line).startsWith("QUEUE_PAUSED  The queue 'stopped' is paused, since"),
            line -> assertThat(line).isEqualTo("              Resume the queue."),
            line -> assertThat(line)
                .isEqualTo("              'sluice queues resume stopped' starts it again"),
            line -> assertThat(line)
                .startsWith("NO_WORKER     No live worker handles type 'nobody.explains' in queue"),
            line -> assertThat(line)
                .isEqualTo("              Start a worker that handles type 'nobody.explains'."));
    JsonNode served = rig.admin.get("/v1/jobs/" + id + "/explain").body();
    assertThat(ok("jobs", "explain", id, "--json").json()).isEqualTo(served);
    String gone = dead("explained");
    assertThat(ok("jobs", "explain", gone).out())
        .startsWith("The job is over: it is dead since 20")
        .contains("; its last error was SERVER: the receiver answered 500")
        .contains("'sluice dlq replay " + gone + "' runs it again");
    assertThat(terminal
            .run("jobs", "explain", "01920000-0000-7000-8000-000000000000")
            .code())
        .isEqualTo(4);
  }

  @Test
  void show_tellsOfAUrlGroupThatIsDisabledOrHeld() {
    rig.group("closed", ",\"enabled\":false");
    awaitShown(
        "closed",
        "The URL group 'closed' is disabled since 20.*\\s+'sluice url-groups change closed --enabled' opens it again");
    rig.receiver.answer("/sick", got -> Reply.of(503));
    rig.group("sick", ",\"healthCheck\":{\"endpoint\":\"/sick\",\"holdJobs\":true}");
    Eventually.await(
        "the group is held",
        () ->
            rig.admin.get("/v1/url-groups/sick/health").body().path("jobsHeld").asBoolean());
    awaitShown(
        "sick",
        "The URL group 'sick' is held, for its health check fails since 20.*\\s+"
            + "'sluice url-groups health sick' tells more");
    rig.enqueue("closed", "/a", ",\"delay\":\"1h\"");
    Ran refused = terminal.run("url-groups", "delete", "closed");
    assertThat(refused.err()).contains("with --force");
  }

  /** Waits for a job of a group that shows this; one that came before the group was held may be gone. */
  private static void awaitShown(String group, String reason) {
    Eventually.await(
        "a job of " + group + " tells why it waits",
        () -> Pattern.compile("waits +" + reason)
            .matcher(ok("jobs", "show", rig.enqueue(group, "/a", "")).out())
            .find());
  }

  @Test
  void queueThatIsNotThere_isNotTakenForAnEmptyOne() {
    for (String command : List.of("jobs list", "dlq list", "dlq replay --yes")) {
      Ran ran = terminal.run((command + " --queue nope").split(" ", -1));
      assertThat(ran.code()).as(command).isEqualTo(4);
      assertThat(ran.err()).isEqualTo("sluice: there is no queue 'nope'\n");
    }
  }

  @Test
  void list_filtersAndPages() {
    List<String> ids = List.of(
        typed("paged", "-m", "userId=u1"), typed("paged", "-m", "userId=u2"), typed("paged"));
    assertThat(ok("jobs", "list", "--type", "paged", "--all", "--json").json().path("items"))
        .hasSize(3);
    Ran page = ok("jobs", "list", "--type", "paged", "--limit", "2");
    assertThat(page.out()).startsWith("ID ").contains(ids.get(2)).doesNotContain(ids.get(0));
    assertThat(page.err()).startsWith("sluice: there are more: --all, or --cursor ");
    String cursor = page.err().replaceFirst("(?s).*--cursor (\\S+).*", "$1");
    assertThat(ok("jobs", "list", "--type", "paged", "--cursor", cursor).out())
        .contains(ids.get(0));
    assertThat(ok("jobs", "list", "--metadata", "userId=u2", "--from", "1h", "--state", "pending")
            .out())
        .contains(ids.get(1))
        .doesNotContain(ids.get(0));
    assertThat(ok("jobs", "list", "--type", "paged", "--to", "1h").out()).isEqualTo("no jobs\n");
    assertThat(ok("queues", "jobs", "default", "--type", "paged").out()).contains(ids.get(1));
    for (String list : List.of("jobs list", "queues jobs default", "tenants jobs default")) {
      String[] words = (list + " --type paged --json").split(" ", -1);
      assertThat(ok(words).json().at("/items/0").has("payload")).as(list).isFalse();
      String[] full = (list + " --type paged --json --full").split(" ", -1);
      assertThat(ok(full).json().at("/items/0").has("payload")).as(list).isTrue();
    }
    assertThat(ok("tenants", "jobs", "default", "--type", "paged").out()).contains(ids.get(1));
  }

  @Test
  void json_isTheAnswerOfTheServer() {
    String id = typed("exact");
    JsonNode served = rig.admin.get("/v1/jobs/" + id).body();
    assertThat(ok("jobs", "show", id, "--json").json()).isEqualTo(served);
  }

  @Test
  void watch_showsAgain_untilTheJobIsOver() {
    String id = typed("watched");
    AtomicInteger pauses = new AtomicInteger();
    Pace cancelling = new Pace() {
      @Override
      public Instant instant() {
        return Instant.parse("2026-01-31T10:00:00Z");
      }

      @Override
      public boolean pause(Duration time) {
        assertThat(time).isEqualTo(Duration.ofSeconds(3));
        pauses.incrementAndGet();
        rig.admin.delete("/v1/jobs/" + id);
        return true;
      }
    };
    Ran ran = terminal.with(cancelling).run("jobs", "show", id, "--watch", "3");
    assertThat(pauses).hasValue(1);
    assertThat(ran.out())
        .containsSubsequence("2026-01-31T10:00:00Z  every 3s", "PENDING", "every 3s", "CANCELLED");
  }

  @Test
  void watch_writesOverTheScreen_andLeavesTheScrollback() {
    String id = typed("watched");
    Pace once = new Pace() {
      @Override
      public Instant instant() {
        return Instant.parse("2026-01-31T10:00:00Z");
      }

      @Override
      public boolean pause(Duration time) {
        return false;
      }
    };
    Ran ran =
        terminal.with(once).with(new Screen(true, true, 80)).run("jobs", "show", id, "--watch");
    assertThat(ran.out()).startsWith("\033[H\033[J2026-01-31T10:00:00Z").doesNotContain("[3J");
  }

  @Test
  void cancelAndRetry_takeMany_andOneFailureDoesNotStopTheOthers() {
    String one = typed("many");
    String two = typed("many");
    Ran cancelled = terminal.run("jobs", "cancel", one, "nonsense", two);
    assertThat(cancelled.code()).isEqualTo(4);
    assertThat(cancelled.out()).isEqualTo(one + " is CANCELLED\n" + two + " is CANCELLED\n");
    assertThat(cancelled.err()).isEqualTo("sluice: nonsense: there is no job 'nonsense'\n");
    assertThat(ok("jobs", "retry", one).out()).isEqualTo(one + " is PENDING\n");
    assertThat(terminal.run("jobs", "retry", one).code()).isEqualTo(1);
  }

  @Test
  void cancelAndRetry_takeAFilter_afterAYes() {
    String job = typed("fits");
    Ran unasked = terminal.run("jobs", "cancel", "--type", "fits");
    assertThat(unasked.code()).isEqualTo(2);
    assertThat(unasked.err()).startsWith("sluice: this will cancel the jobs with type=fits\n");
    assertThat(terminal.run("jobs", "cancel").err())
        .isEqualTo("sluice: say which: ids, a filter such as --queue, or --all\n");
    assertThat(terminal.run("jobs", "cancel", "--type", "", "--yes").err()).contains("type");
    assertThat(ok("jobs", "show", job).out()).contains("PENDING");
    assertThat(ok("jobs", "cancel", "--type", "fits", "--yes").out())
        .isEqualTo("1 job cancelled\n");
    assertThat(ok("jobs", "retry", "--type", "fits", "--yes").out()).isEqualTo("0 jobs retried\n");
    assertThat(ok("jobs", "retry", "--type", "fits", "--state", "cancelled", "--yes")
            .out())
        .isEqualTo("1 job retried\n");
    assertThat(terminal
            .run("jobs", "cancel", "--type", "fits", "--cascade", "--yes")
            .code())
        .isEqualTo(2);
  }

  @Test
  void deadLetters_areCountedListedAndReplayed() {
    String id = dead("letters");
    assertThat(ok("dlq", "list", "--queue", "letters").out())
        .contains(id, "SERVER: the receiver answered 500");
    assertThat(ok("dlq", "list", "--queue", "letters", "--json")
            .json()
            .at("/items/0")
            .has("body"))
        .isFalse();
    assertThat(ok("dlq", "list", "--queue", "letters", "--json", "--full")
            .json()
            .at("/items/0")
            .has("body"))
        .isTrue();
    assertThat(ok("dlq", "stats", "--queue", "letters").out()).startsWith("1 dead letter\n");
    rig.receiver.answer("/broken", got -> Reply.of(200));
    assertThat(ok("dlq", "replay", id).out()).startsWith(id + " is ");
    rig.await(id, "COMPLETED");
    assertThat(ok("dlq", "list", "--queue", "letters").out()).isEqualTo("no dead letters\n");
  }

  @Test
  void bulk_isDoneAfterAYes_andNotWithout() {
    dead("bulk");
    dead("bulk");
    Ran script = terminal.run("dlq", "delete", "--queue", "bulk");
    assertThat(script.code()).isEqualTo(2);
    assertThat(script.err())
        .startsWith("sluice: this will delete 2 dead letters with queue=bulk\n");
    assertThat(terminal.run("dlq", "delete").err())
        .isEqualTo("sluice: say which: ids, a filter such as --queue, or --all\n");

    Terminal person = terminal.with(new Screen(true, true, 80));
    assertThat(person.type("no\n", "dlq", "delete", "--queue", "bulk").code()).isEqualTo(2);
    Ran yes = person.type("y\n", "dlq", "delete", "--queue", "bulk");
    assertThat(yes.out()).isEqualTo("2 dead letters with queue=bulk deleted\n");
    assertThat(ok("dlq", "replay", "--queue", "bulk", "--yes").out())
        .isEqualTo("0 dead letters with queue=bulk replayed\n");
    dead("bulk");
    assertThat(ok("dlq", "delete", "--all", "--yes").out()).contains("deleted");
    assertThat(ok("dlq", "list").out()).isEqualTo("no dead letters\n");
  }

  @Test
  void pullWorker_worksByHand() {
    ok("queues", "create", "by-hand");
    String id = typed("hand.work", "--queue", "by-hand", "--max-attempts", "2");
    JsonNode claimed =
        ok("leases", "claim", "by-hand", "--worker", "me", "--json").json();
    String lease = claimed.at("/items/0/lease").asString();
    assertThat(claimed.at("/items/0/job/id").asString()).isEqualTo(id);
    assertThat(ok("leases", "heartbeat", lease, "--percent", "40", "--extend-by", "60s")
            .out())
        .startsWith("the lease is yours until ");
    assertThat(ok("jobs", "show", id).out()).contains("progress    40%");
    assertThat(ok("workers").out()).contains("PULL", "me", "by-hand");
    assertThat(ok("leases", "complete", lease, "--result", "{\"sent\": true}").out())
        .isEqualTo(id + " is COMPLETED\n");
    assertThat(terminal.run("leases", "fail", lease, "--message", "late").code())
        .isEqualTo(1);
    assertThat(ok("leases", "claim", "by-hand").out()).isEqualTo("no jobs\n");
  }
}
