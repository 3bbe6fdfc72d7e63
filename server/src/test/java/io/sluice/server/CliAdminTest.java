package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.Screen;
import io.sluice.server.Terminal.Ran;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands about queues, targets, tenants, keys and the whole, and what they say when refused. */
@Tag("slow")
class CliAdminTest {
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

  private static String ok(String... words) {
    Ran ran = terminal.run(words);
    assertThat(ran.code()).as(ran.err()).isZero();
    return ran.out();
  }

  private static void refused(int code, String words, String... command) {
    Ran ran = terminal.run(command);
    assertThat(ran.err()).contains(words).doesNotContain("\tat ");
    assertThat(ran.code()).isEqualTo(code);
    assertThat(ran.out()).isEmpty();
  }

  @Test
  void breakers_areSetShownOpenedAndReset() {
    assertThat(ok("breakers", "list")).isEqualTo("no breakers\n");
    assertThat(ok("breakers", "set", "mail", "--error-threshold", "0.25", "--slow-call", "5s"))
        .isEqualTo("the breaker on mail is set\n");
    assertThat(ok("breakers", "show", "mail")).contains("slowCallThreshold", "5s", "CLOSED");
    assertThat(ok("breakers", "list")).containsPattern("mail +CLOSED +0 +0%");
    assertThat(ok("breakers", "open", "mail")).isEqualTo("the breaker is FORCED_OPEN\n");
    assertThat(ok("breakers", "reset", "mail")).isEqualTo("the breaker is CLOSED\n");
    assertThat(ok("breakers", "delete", "mail")).isEqualTo("the breaker is deleted\n");
    assertThat(ok("breakers", "list")).isEqualTo("no breakers\n");
  }

  @Test
  void queue_isMadeChangedPausedPurgedAndDeleted() {
    assertThat(
            ok("queues", "create", "emails", "--max-size", "9", "--rate", "5", "--no-dead-letter"))
        .isEqualTo("queue emails is made\n");
    assertThat(ok("queues", "show", "emails"))
        .contains("maxSize ", "deadLetter           false", "rateLimit.perSecond");
    ok("queues", "change", "emails", "--unset", "maxSize", "--max-attempts", "8");
    assertThat(ok("queues", "show", "emails"))
        .contains("defaultRetry.maxAttempts")
        .doesNotContain("maxSize");
    assertThat(ok("queues", "pause", "emails")).isEqualTo("queue emails is paused\n");
    assertThat(ok("queues", "list")).containsPattern("emails +paused");
    assertThat(ok("queues", "resume", "emails")).isEqualTo("queue emails is running\n");
    ok("enqueue", "--type", "a", "--queue", "emails");
    ok("enqueue", "--type", "a", "--queue", "emails");
    assertThat(ok("queues", "metrics", "emails")).contains("depth ", "all ");
    refused(2, "this cancels 2 waiting jobs of queue emails", "queues", "purge", "emails");
    assertThat(ok("queues", "purge", "emails", "--yes")).isEqualTo("2 jobs cancelled\n");
    Eventually.await(
        "nothing is asked", () -> terminal.run("queues", "purge", "emails").code() == 0);
    ok("enqueue", "--type", "a", "--queue", "emails");
    refused(1, "has unfinished jobs; --force cancels them", "queues", "delete", "emails");
    refused(2, "and cancels 1 unfinished job", "queues", "delete", "emails", "--force");
    ok("queues", "delete", "emails", "--force", "--yes");
    refused(4, "there is no queue 'emails'", "queues", "show", "emails");
  }

  @Test
  void limit_isSetShownListedAndLifted() {
    ok("queues", "create", "paced", "--rate", "100/minute", "--burst", "4");
    assertThat(ok("queues", "list")).containsPattern("paced +running.* 100/min ");
    assertThat(ok("limits", "set", "queue:paced", "--concurrency", "3"))
        .isEqualTo("limit queue:paced is 100/min with burst 4, 3 at once\n");
    assertThat(ok("limits", "set", "key:customer-*", "--rate", "5"))
        .isEqualTo("limit key:customer-* is 5/s with burst 5\n");
    assertThat(ok("limits", "set", "mails", "--scope", "type", "--concurrency", "1"))
        .isEqualTo("limit type:mails is 1 at once\n");
    ok("enqueue", "--type", "mails", "--limit-key", "customer-7", "--cost", "2");
    assertThat(ok("limits", "list"))
        .containsPattern("queue:paced +100/min +4 +0 +3 +0 +0")
        .containsPattern("type:mails +- +- +- +1 +0 +1")
        .containsPattern("key:customer-\\* +5/s +5 +- +- +- +1");
    assertThat(ok("limits", "show", "key:customer-7"))
        .containsPattern("pattern +key:customer-\\*")
        .containsPattern("waiting +1");
    assertThat(ok("limits", "show", "type:mails", "--json")).contains("\"concurrency\" : 1");
    assertThat(ok("jobs", "list", "--limit-key", "customer-7")).contains("mails");
    ok("limits", "set", "queue:paced", "--unset", "rate");
    assertThat(ok("queues", "list")).containsPattern("paced +running +normal +3 +- +- ");
    assertThat(ok("limits", "delete", "queue:paced")).isEqualTo("limit queue:paced is lifted\n");
    refused(4, "there is no limit on 'queue:paced'", "limits", "show", "queue:paced");
    refused(2, "--rate must be a number", "limits", "set", "queue:paced", "--rate", "often");
    refused(2, "nothing to change", "limits", "set", "queue:paced");
    ok("limits", "delete", "type:mails");
    ok("limits", "delete", "key:customer-*");
    assertThat(ok("limits", "list")).isEqualTo("no limits\n");
  }

  @Test
  void urlGroup_isMadeFromJsonAndOptions_andItsSecretsStayIn() throws IOException {
    Path json = Files.writeString(
        folder.resolve("g.json"), "{\"name\":\"shop\",\"circuitBreaker\":{\"minimumCalls\":5}}");
    Path token = Files.writeString(folder.resolve("token"), "very-secret\n");
    ok(
        "url-groups",
        "create",
        "--from-json",
        json.toString(),
        "--base-url",
        "https://a.example.com",
        "--bearer",
        "@" + token,
        "--rate",
        "50");
    String shown = ok("url-groups", "show", "shop");
    assertThat(shown)
        .contains("circuitBreaker.minimumCalls", "auth.token", "***")
        .doesNotContain("very-secret");
    assertThat(ok("url-groups", "list")).contains("shop", "https://a.example.com", "bearer");
    assertThat(ok("url-groups", "auth", "shop", "--basic", "me:pass"))
        .isEqualTo("URL group shop has auth basic\n");
    assertThat(ok("url-groups", "auth-test", "shop")).contains("authorization");
    assertThat(ok("audit", "list", "--json"))
        .isEqualTo(ok("audit", "--json"))
        .contains("url-group.create");
    assertThat(ok("url-groups", "rate-limits", "shop", "--concurrent", "3"))
        .isEqualTo("requests            50/s\nconcurrentRequests  3\n");
    assertThat(ok("url-groups", "breaker", "shop")).contains("CLOSED");
    assertThat(ok("url-groups", "open-breaker", "shop")).isEqualTo("the breaker is FORCED_OPEN\n");
    assertThat(ok("url-groups", "list")).containsPattern("shop +open");
    // Health is looked at every two seconds at most.
    Eventually.await("health tells of it", () -> ok("health").contains("1 breaker is open"));
    assertThat(ok("url-groups", "reset-breaker", "shop")).isEqualTo("the breaker is CLOSED\n");
    assertThat(ok("url-groups", "rotate-secret", "shop")).contains("whsec_");
    assertThat(ok("url-groups", "metrics", "shop", "--window", "10m")).contains("COMPLETED");
    assertThat(ok("url-groups", "health", "shop")).contains("status");
    assertThat(ok("url-groups", "deliveries", "shop", "--failed")).isEqualTo("no deliveries\n");
    ok("url-groups", "change", "shop", "--no-enabled", "--disable-after", "3d");
    assertThat(ok("url-groups", "list")).containsPattern("shop +disabled");
    ok("url-groups", "change", "shop", "--description", "the shop", "--concurrent", "7");
    assertThat(ok("url-groups", "rate-limits", "shop"))
        .isEqualTo("requests            50/s\nconcurrentRequests  7\n");
    assertThat(ok("tenants", "url-groups", "default")).contains("the shop");
    refused(2, "nothing to change", "url-groups", "change", "shop");
    refused(
        2, "a URL group has one way", "url-groups", "auth", "shop", "--bearer", "a", "--no-auth");
    ok("url-groups", "delete", "shop");
    refused(4, "there is no such URL group: shop", "url-groups", "show", "shop");
  }

  @Test
  void tenant_hasKeys_thatMayDoWhatTheirRoleSays() {
    ok("tenants", "create", "acme", "--max-size", "100");
    Ran made =
        terminal.run("keys", "create", "--tenant", "acme", "--name", "shop", "--role", "viewer");
    assertThat(made.out()).startsWith("sluice_").hasLineCount(1);
    Terminal viewer = new Terminal(
        Map.of(
            "SLUICE_SERVER", server.admin().address(), "SLUICE_KEY", made.out().strip()),
        Screen.NONE);
    assertThat(viewer.run("jobs", "list").out()).isEqualTo("no jobs\n");
    Ran forbidden = viewer.run("enqueue", "--type", "a");
    assertThat(forbidden.code()).isEqualTo(5);
    assertThat(forbidden.err()).contains("the key from SLUICE_KEY may not do this");
    assertThat(ok("keys", "list", "--tenant", "acme")).containsPattern("shop +viewer +\\S+ +valid");
    ok("keys", "revoke", "shop", "--tenant", "acme");
    assertThat(viewer.run("jobs", "list").code()).isEqualTo(5);
    assertThat(ok("tenants", "usage", "acme")).startsWith("DAY ");
    assertThat(ok("tenants", "queues", "acme")).contains("default");
    ok("tenants", "change", "acme", "--no-enabled");
    assertThat(ok("tenants", "list")).containsPattern("acme +disabled");
    assertThat(ok("audit", "--of-tenant", "acme", "--from", "1h"))
        .contains("key.create", "tenant.");
    assertThat(ok("tenants", "delete", "acme", "--yes")).isEqualTo("tenant acme is deleted\n");
    refused(4, "there is no such tenant: acme", "tenants", "show", "acme");
  }

  @Test
  void whole_isShown() {
    ok("enqueue", "--type", "some.work");
    assertThat(ok("stats")).contains("waiting", "some.work", "PENDING");
    assertThat(ok("health")).containsPattern("ready +ok");
    assertThat(ok("metrics", "--match", "sluice_")).isNotEmpty();
    assertThat(ok("openapi")).contains("\"openapi\" : \"3.1.0\"");
  }

  @Test
  void eachRefusal_hasItsCodeAndSaysWhatToDo() {
    refused(5, "the server does not take the key from --key", "stats", "--key", "wrong");
    refused(3, "nothing listens at http://127.0.0.1:1", "stats", "--server", "127.0.0.1:1");
    refused(3, "nobody knows the host", "stats", "--server", "http://no-such-host.invalid");
    refused(1, "there is a queue 'default' already", "queues", "create", "default");
    refused(1, "name must be 1 to 64", "queues", "create", "Not A Name");
    refused(1, "state must be one or more of", "jobs", "list", "--state", "gone");
    refused(
        4,
        "there is no queue 'none'; make it with 'sluice queues create'",
        "enqueue",
        "--type",
        "a",
        "--queue",
        "none");
    refused(2, "say what to do: a URL", "enqueue");
    refused(2, "--limit must be 1 or more", "jobs", "list", "--limit", "0");
    refused(2, "--payload is not valid JSON", "enqueue", "--type", "a", "--payload", "{");
    Ran keyless = new Terminal(
            Map.of("SLUICE_SERVER", server.admin().address(), "SLUICE_DATA", folder.toString()),
            Screen.NONE)
        .run("stats");
    assertThat(keyless.code()).isEqualTo(5);
    assertThat(keyless.err()).startsWith("sluice: the server wants a key, and there is none\n");
    assertThat(terminal.run("health", "--key", "wrong").code()).isZero();
  }
}
