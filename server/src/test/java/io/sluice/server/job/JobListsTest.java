package io.sluice.server.job;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Lists of jobs: what they leave out, and that no page is missed or read by strangers. */
class JobListsTest {
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static Client tenant(String name) {
    return server.tenant(name);
  }

  private static String add(Client client, String fields) {
    return ok(201, client.post("/v1/jobs", "{" + fields + "}")).path("id").asString();
  }

  private static List<String> ids(Client client, String query) {
    return texts(ok(200, client.get("/v1/jobs" + query)).path("items"), "id");
  }

  @Test
  void filters_narrow_eachByItself() {
    Client client = tenant("filters");
    ok(201, client.post("/v1/queues", "{\"name\":\"mail\"}"));
    String plain = add(client, "\"type\":\"a\",\"payload\":\"needle % _ \\\\\"");
    String mail = add(client, "\"type\":\"b\",\"queue\":\"mail\",\"idempotencyKey\":\"k 1\"");
    String later = add(client, "\"type\":\"b\",\"delay\":\"1h\",\"limitKey\":\"c&7\"");
    String marked =
        add(client, "\"type\":\"c\",\"metadata\":{\"userId\":\"u1\",\"custom\":{\"shop\":\"x\"}}");
    ok(
        201,
        client.post(
            "/v1/url-groups", "{\"name\":\"shop\",\"baseUrl\":\"https://shop.example.com/\"}"));
    String grouped = add(client, "\"urlGroup\":\"shop\",\"path\":\"/x\"");
    String cancelled = add(client, "\"type\":\"d\"");
    ok(200, client.delete("/v1/jobs/" + cancelled));

    assertThat(ids(client, "")).containsExactly(cancelled, grouped, marked, later, mail, plain);
    assertThat(ids(client, "?urlGroup=shop")).containsExactly(grouped);
    assertThat(ids(client, "?queue=mail")).containsExactly(mail);
    assertThat(ids(client, "?queue=none")).isEmpty();
    assertThat(ids(client, "?state=SCHEDULED")).containsExactly(later);
    assertThat(ids(client, "?state=cancelled,Scheduled")).containsExactly(cancelled, later);
    assertThat(ids(client, "?type=b")).containsExactly(later, mail);
    assertThat(ids(client, "?idempotencyKey=k+1")).containsExactly(mail);
    assertThat(ids(client, "?limitKey=c%267")).containsExactly(later);
    assertThat(ids(client, "?metadata.userId=u1")).containsExactly(marked);
    assertThat(ids(client, "?metadata.shop=x&metadata.userId=u1")).containsExactly(marked);
    assertThat(ids(client, "?metadata.shop=y")).isEmpty();
    assertThat(ids(client, "?q=needle+%25+_")).containsExactly(plain);
    assertThat(ids(client, "?q=%25")).containsExactly(plain);
    String created = client.get("/v1/jobs/" + later).text("/createdAt");
    assertThat(ids(client, "?from=" + created)).containsExactly(cancelled, grouped, marked, later);
    assertThat(ids(client, "?to=" + created)).containsExactly(mail, plain);
    assertThat(ids(client, "?type=b&state=PENDING")).containsExactly(mail);
    JsonNode ofQueue = ok(200, client.get("/v1/queues/mail/jobs"));
    assertThat(texts(ofQueue.path("items"), "id")).containsExactly(mail);
  }

  @Test
  void q_findsWhatJsonEscapes() {
    Client client = tenant("escapes");
    String work = add(client, "\"type\":\"t\",\"payload\":{\"t\":\"say \\\"hi\\\"\\n\"}");
    String call = add(
        client,
        "\"url\":\"https://example.com\",\"delay\":\"1h\",\"body\":{\"t\":\"say \\\"hi\\\"\\n\"}");
    assertThat(ids(client, "?q=say+%22hi%22")).containsExactly(call, work);
    assertThat(ids(client, "?q=%22hi%22%0A")).containsExactly(call, work);
    assertThat(ids(client, "?q=say+%22ho%22")).isEmpty();
  }

  @Test
  void strangeQueries_areRefused_byName() {
    Client client = tenant("strange");
    invalid("stat", client.get("/v1/jobs?stat=DEAD"));
    invalid("state", client.get("/v1/jobs?state=ALIVE"));
    invalid("state", client.get("/v1/jobs?state=DEAD,"));
    invalid("from", client.get("/v1/jobs?from=yesterday"));
    invalid("limit", client.get("/v1/jobs?limit=0"));
    invalid("limit", client.get("/v1/jobs?limit=251"));
    invalid("cursor", client.get("/v1/jobs?cursor=x"));
    invalid("queue", client.get("/v1/queues/default/jobs?queue=x"));
    invalid("q", client.get("/v1/jobs?q=a%00b"));
    invalid("metadata.x", client.get("/v1/jobs?metadata.x=%00"));
    for (String nasty : List.of("' or 1=1 --", "\u202e<script>", "{{7*7}}", "\\", "\uffff")) {
      String text = URLEncoder.encode(nasty, StandardCharsets.UTF_8);
      for (String name :
          List.of("queue", "type", "idempotencyKey", "limitKey", "urlGroup", "metadata.a", "q")) {
        assertThat(ids(client, "?" + name + "=" + text)).isEmpty();
      }
      assertThat(ids(client, "?metadata." + text + "=1")).isEmpty();
    }
  }

  @Test
  void pages_followEachOther_whileJobsComeAndGo() {
    Client client = tenant("pages");
    List<String> first = new ArrayList<>();
    for (int i = 0; i < 23; i++) {
      first.add(add(client, "\"type\":\"t\""));
    }
    Collections.reverse(first);
    List<String> seen = new ArrayList<>();
    Set<String> gone = new HashSet<>();
    String cursor = "";
    do {
      JsonNode page = ok(200, client.get("/v1/jobs?limit=5&state=PENDING" + cursor));
      seen.addAll(texts(page.path("items"), "id"));
      cursor = page.path("nextCursor").isNull()
          ? ""
          : "&cursor=" + page.path("nextCursor").asString();
      add(client, "\"type\":\"t\"");
      String next = first.get(Math.min(first.size() - 1, seen.size() + 1));
      if (!seen.contains(next)) {
        gone.add(next);
        ok(200, client.delete("/v1/jobs/" + next));
      }
      ok(200, client.delete("/v1/jobs/" + seen.getLast()));
    } while (!cursor.isEmpty());
    List<String> expected = first.stream().filter(id -> !gone.contains(id)).toList();
    assertThat(seen).containsExactlyElementsOf(expected);
    assertThat(gone).isNotEmpty();
  }

  @Test
  void lists_leaveOutWhatIsLarge_unlessFull() {
    Client client = tenant("slim");
    add(
        client,
        "\"url\":\"https://example.com/x\",\"headers\":{\"x-a\":\"1\"},\"body\":{\"n\":\"much\"}");
    String done = add(client, "\"type\":\"t\",\"payload\":{\"n\":\"much\"}");
    String claim = "{\"worker\":\"w\",\"types\":[\"t\"]}";
    String lease = client.post("/v1/queues/default/claim", claim).text("/items/0/lease");
    ok(200, client.post("/v1/leases/" + lease + "/complete", "{\"result\":[\"much\"]}"));
    for (String list : List.of("/v1/jobs", "/v1/queues/default/jobs", "/v1/tenants/slim/jobs")) {
      Client.Reply slim = client.get(list);
      assertThat(texts(ok(200, slim).path("items"), "id")).first().isEqualTo(done);
      assertThat(slim.raw().body()).doesNotContain("much");
      for (String field : List.of("payload", "body", "bodyBase64", "result")) {
        assertThat(slim.body().at("/items/0").has(field)).as(field).isFalse();
        assertThat(slim.body().at("/items/1").has(field)).as(field).isFalse();
      }
      assertThat(slim.text("/items/1/url")).isEqualTo("https://example.com/x");
      assertThat(slim.text("/items/1/method")).isEqualTo("POST");
      assertThat(slim.text("/items/1/headers/x-a")).isEqualTo("1");
      Client.Reply full = client.get(list + "?full=true");
      assertThat(full.text("/items/0/payload/n")).isEqualTo("much");
      assertThat(full.text("/items/0/result/0")).isEqualTo("much");
      assertThat(full.text("/items/1/body/n")).isEqualTo("much");
      assertThat(full.body().at("/items/0").has("bodyBase64")).isTrue();
    }
    assertThat(client.get("/v1/jobs?q=much").raw().body()).contains(done).doesNotContain("much");
    assertThat(client.get("/v1/jobs?q=much&full=true").raw().body()).contains("much");
    assertThat(client.get("/v1/jobs/" + done).text("/payload/n")).isEqualTo("much");
    invalid("full", client.get("/v1/jobs?full=yes"));
  }

  @Test
  void page_endsEarly_at4MiB() {
    Client client = tenant("large");
    String body = "\"type\":\"t\",\"delay\":\"1h\",\"payload\":\"" + "x".repeat(900_000) + "\"";
    List<String> added = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      added.add(add(client, body));
    }
    assertThat(ids(client, "?limit=250")).isEqualTo(added.reversed());
    List<String> seen = new ArrayList<>();
    List<Integer> sizes = new ArrayList<>();
    String cursor = "";
    do {
      Client.Reply page = client.get("/v1/jobs?limit=250&full=true" + cursor);
      ok(200, page);
      assertThat(page.raw().body().length()).isLessThanOrEqualTo(4 << 20);
      List<String> some = texts(page.body().path("items"), "id");
      sizes.add(some.size());
      seen.addAll(some);
      JsonNode next = page.body().path("nextCursor");
      cursor = next.isNull() ? "" : "&cursor=" + next.asString();
    } while (!cursor.isEmpty());
    assertThat(seen).isEqualTo(added.reversed());
    assertThat(sizes).containsExactly(4, 4, 2);
  }

  @Test
  void lastPage_hasNoCursor_evenWhenItIsFull() {
    Client client = tenant("last");
    add(client, "\"type\":\"t\"");
    add(client, "\"type\":\"t\"");
    assertThat(ok(200, client.get("/v1/jobs?limit=2")).path("nextCursor").isNull())
        .isTrue();
    assertThat(ok(200, client.get("/v1/jobs?limit=1")).path("nextCursor").isNull())
        .isFalse();
  }

  @Test
  void cursor_fitsItsOwnListAlone() {
    Client mine = tenant("mine");
    Client theirs = tenant("theirs");
    for (Client client : List.of(mine, theirs)) {
      add(client, "\"type\":\"t\"");
      add(client, "\"type\":\"t\"");
    }
    String cursor = mine.get("/v1/jobs?limit=1&type=t").text("/nextCursor");
    ok(200, mine.get("/v1/jobs?limit=9&type=t&cursor=" + cursor));
    invalid("cursor", theirs.get("/v1/jobs?limit=1&type=t&cursor=" + cursor));
    invalid("cursor", mine.get("/v1/jobs?limit=1&cursor=" + cursor));
    invalid("cursor", mine.get("/v1/jobs?limit=1&type=t&state=PENDING&cursor=" + cursor));
    invalid("cursor", mine.get("/v1/dlq?limit=1&type=t&cursor=" + cursor));
    invalid("cursor", mine.get("/v1/queues?cursor=" + cursor));
    char other = cursor.charAt(5) == 'A' ? 'B' : 'A';
    String changed = cursor.substring(0, 5) + other + cursor.substring(6);
    invalid("cursor", mine.get("/v1/jobs?limit=1&type=t&cursor=" + changed));
    invalid("cursor", mine.get("/v1/jobs?limit=1&type=t&cursor=" + cursor + "%3D"));
    invalid("cursor", mine.get("/v1/jobs?limit=1&type=t&cursor=" + cursor + "AA"));
  }
}
