package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Terminal.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Commands about batches and what waits for what, against a real server. */
class CliBatchesTest {
  private static TestServer server;
  private static Terminal terminal;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
    terminal = Terminal.of(server);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Ran ok(String... words) {
    Ran ran = terminal.run(words);
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran;
  }

  private static String state(String job) {
    return ok("jobs", "show", job, "--json").json().path("state").asString();
  }

  @Test
  void batch_isMadeFromAFile_shownListedFilledClosedAndCancelled() throws IOException {
    Path file = Files.writeString(folder.resolve("b.json"), """
        {"name": "night", "jobs": [{"name": "load", "type": "load"}, {"type": "count", "after": ["load"]}]}""");
    Ran made = ok("batches", "create", file.toString(), "--open");
    assertThat(made.out()).contains(" has 2 jobs", "load", "SCHEDULED");
    String id = made.out().split(" ", 2)[0];
    assertThat(ok("batches", "list").out()).contains(id, "night", "RUNNING (open)");

    Ran added = terminal.type("[{\"type\": \"more\"}]", "batches", "add", id, "-");
    assertThat(added.out()).as(added.err()).startsWith("1 job added to " + id);
    assertThat(ok("batches", "close", id).out()).contains("is closed, 0 of 3 are over");
    assertThat(ok("batches", "show", id).out())
        .containsPattern("total +3")
        .containsPattern("state +RUNNING");
    assertThat(ok("batches", "cancel", id).out()).startsWith("3 jobs of " + id + " cancelled");
    assertThat(terminal.run("batches", "cancel", id).code()).isEqualTo(1);
    assertThat(terminal
            .run("batches", "show", "0192f0c1-2b7e-7000-8000-000000000000")
            .code())
        .isEqualTo(4);
  }

  @Test
  void listOfJobs_isABatchWithAName_andAKeyIsKnown() {
    String[] words = {"batches", "create", "-", "--name", "b", "--idempotency-key", "k"};
    Ran first = terminal.type("[{\"type\": \"x\"}]", words);
    assertThat(first.code()).as(first.err()).isZero();
    assertThat(terminal.type("[{\"type\": \"x\"}]", words).out())
        .isEqualTo(first.out().replaceFirst(" has 1 job", " was there before"));
    String id = first.out().split(" ", 2)[0];
    assertThat(terminal.type("[]", words).out())
        .isEqualTo(id + " was there before; 'sluice jobs list --batch " + id + "' shows its jobs"
            + System.lineSeparator());
    assertThat(ok("jobs", "list", "--batch", id).out()).contains(" x ").hasLineCount(2);
    assertThat(ok("batches", "show", id).out()).contains("jobs list --batch " + id);
    assertThat(terminal.type("7", "batches", "create", "-").err())
        .contains("FILE must be a JSON object");
  }

  private static String after(String job, String policy) {
    return ok("enqueue", "--json", "--type", "after", "--after", job, "--after-policy", policy)
        .json()
        .path("id")
        .asString();
  }

  @Test
  void whatAFailureLeft_isExplained_withTheCommandsThatHelp() {
    String failed = ok("enqueue", "--json", "--type", "fails").json().path("id").asString();
    String held = after(failed, "hold");
    String cancelled = after(failed, "cancel");
    String runs = after(failed, "if-failed");
    String lease = ok("leases", "claim", "default", "--worker", "w", "--type", "fails", "--json")
        .json()
        .at("/items/0/lease")
        .asString();
    ok("leases", "fail", lease, "--no-retry");

    assertThat(ok("jobs", "explain", held).out())
        .contains("'sluice jobs retry " + held + "' runs it all the same")
        .contains("'sluice jobs retry " + failed + "' runs that one again");
    assertThat(ok("jobs", "explain", cancelled).out())
        .contains("'sluice jobs retry " + cancelled + "' runs it again")
        .contains("'sluice jobs retry --cascade " + failed + "' runs first what had it cancelled");
    assertThat(state(runs)).isEqualTo("PENDING");
  }

  @Test
  void chain_isDrawn_cancelledAndRetriedAsAWhole() {
    String first = ok("enqueue", "--json", "--type", "a").json().path("id").asString();
    String second = ok(
            "enqueue", "--json", "--type", "b", "--after", "one=" + first, "--after-policy", "run")
        .json()
        .path("id")
        .asString();
    JsonNode job = ok("jobs", "show", second, "--json").json();
    assertThat(job.path("afterPolicy").asString()).isEqualTo("run");
    assertThat(ok("jobs", "show", second).out()).contains("one (" + first + ")");

    String tree = ok("jobs", "graph", second).out();
    assertThat(tree.lines().toList().getFirst()).isEqualTo("* one  PENDING  a in default");
    assertThat(tree.lines().toList().get(1))
        .isEqualTo("└─ * " + second + "  SCHEDULED (waits for 1)  b in default  <- this one");
    assertThat(ok("jobs", "graph", second, "--json").json().path("criticalPath").size())
        .isEqualTo(2);

    ok("jobs", "cancel", "--cascade", first);
    assertThat(state(second)).isEqualTo("CANCELLED");
    assertThat(ok("jobs", "show", second).out()).contains("cancelled with job " + first);
    ok("jobs", "retry", "--cascade", first);
    assertThat(state(first)).isEqualTo("PENDING");
  }
}
