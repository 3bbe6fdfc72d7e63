package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.TestServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** URL groups over REST: what goes in, what comes back, what is refused. */
class UrlGroupsResourceTest {
  private static final String WHSEC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static TestServer server;
  private static Client admin;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    admin = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String body(String name, String more) {
    return "{\"name\":\"%s\",\"baseUrl\":\"https://api.example.com/v1\"%s}".formatted(name, more);
  }

  private static Client.Reply make(String name, String more) {
    Client.Reply reply = admin.post("/v1/url-groups", body(name, more));
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(201);
    return reply;
  }

  private static void refused(Client.Reply reply, String field, String message) {
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(422);
    assertThat(reply.text("/code")).isEqualTo("INVALID_MESSAGE");
    assertThat(reply.text("/errors/0/field")).isEqualTo(field);
    assertThat(reply.text("/errors/0/message")).contains(message);
  }

  @Test
  void allFields_areTaken_andReadBack_withoutSecrets() {
    make("all", """
        ,"description":"d","defaultHeaders":{"x-a":"1","x-api-key":"hush-1"},
        "auth":{"type":"basic","username":"u","password":"hush-2"},
        "retry":{"maxAttempts":3,"on":{"TIMEOUT":{"strategy":"linear"}}},
        "rateLimits":{"requestsPerSecond":2.5,"concurrentRequests":4},
        "ipAllowlist":["203.0.113.0/24"],"followRedirects":true,
        "circuitBreaker":{"errorThreshold":0.5,"window":"1m","minimumCalls":10,"tripDuration":"30s",
          "halfOpenMaxRequests":2},
        "healthCheck":{"endpoint":"/health","interval":"30s","timeout":"5s","expectStatus":[200],
          "expectBody":"ok","holdJobs":true},
        "signing":{"scheme":"standard-webhooks","secrets":["%s"]}""".formatted(WHSEC));
    Client.Reply read = admin.get("/v1/url-groups/all");
    assertThat(read.status()).isEqualTo(200);
    assertThat(read.raw().body()).doesNotContain("hush", WHSEC.substring(8));
    assertThat(read.text("/defaultHeaders/x-api-key")).isEqualTo("***");
    assertThat(read.text("/defaultHeaders/x-a")).isEqualTo("1");
    assertThat(read.body().at("/auth").toString())
        .isEqualTo("{\"type\":\"basic\",\"username\":\"u\",\"password\":\"***\"}");
    assertThat(read.body().at("/signing").toString())
        .isEqualTo("{\"scheme\":\"standard-webhooks\",\"secrets\":[\"***\"]}");
    assertThat(read.body().at("/retry/maxAttempts").asInt()).isEqualTo(3);
    assertThat(read.text("/circuitBreaker/tripDuration")).isEqualTo("30s");
    assertThat(read.text("/healthCheck/endpoint")).isEqualTo("/health");
    assertThat(read.text("/ipAllowlist/0")).isEqualTo("203.0.113.0/24");
    assertThat(read.body().at("/rateLimits/requestsPerSecond").asDouble()).isEqualTo(2.5);
    assertThat(admin.get("/v1/url-groups/" + read.text("/id")).text("/name")).isEqualTo("all");
    assertThat(server.dump()).doesNotContain("hush", WHSEC.substring(8));
  }

  @Test
  void badFields_areNamed() {
    refused(admin.post("/v1/url-groups", "{\"name\":\"x\"}"), "baseUrl", "missing");
    refused(admin.post("/v1/url-groups", "{\"baseUrl\":\"https://a.example\"}"), "name", "missing");
    refused(make422("\"auth\":{\"type\":\"bearer\"}"), "auth.token", "missing");
    refused(make422("\"auth\":{\"type\":\"bearer\",\"token\":\" \"}"), "auth.token", "empty");
    refused(make422("\"auth\":{\"type\":\"bearer\",\"x\":1}"), "auth.x", "not a field");
    refused(make422("\"auth\":{\"type\":\"magic\"}"), "auth.type", "basic, bearer");
    refused(make422("\"auth\":{}"), "auth.type", "basic, bearer");
    refused(make422("\"auth\":{\"type\":\"bearer\",\"token\":7}"), "auth.token", "must be");
    refused(
        make422("\"auth\":{\"type\":\"oauth2\",\"tokenUrl\":\"https://a.example\"}"),
        "auth.clientId",
        "missing");
    refused(make422(oauth2("http://a.example/token")), "auth.tokenUrl", "https://");
    refused(make422(oauth2("https://10.0.0.1/token")), "auth.tokenUrl", "private");
    refused(make422(oauth2("https://a.example/?api_key=k")), "auth.tokenUrl", "credential");
    refused(make422("\"auth\":{\"type\":\"bearer\",\"token\":\"***\"}"), "auth", "none is kept");
    refused(make422("\"defaultHeaders\":{\"host\":\"x\"}"), "defaultHeaders", "'host'");
    refused(make422("\"defaultHeaders\":{\"x\":\"a\\nb\"}"), "defaultHeaders", "line breaks");
    refused(make422("\"defaultHeaders\":{\"x\":null}"), "defaultHeaders.x", "must be");
    refused(make422("\"ipAllowlist\":[\"10.0.0.0/33\"]"), "ipAllowlist[0]", "10.0.0.0/8");
    refused(make422("\"retry\":{\"jitter\":2}"), "retry.jitter", "0 to 1");
    refused(
        make422("\"circuitBreaker\":{\"errorThreshold\":1.5}"),
        "circuitBreaker.errorThreshold",
        "at most 1");
    refused(
        make422("\"healthCheck\":{\"endpoint\":\"http://127.0.0.1/\"}"),
        "healthCheck.endpoint",
        "loopback");
    refused(
        make422("\"rateLimits\":{\"concurrentRequests\":0}"),
        "rateLimits.concurrentRequests",
        "1 or more");
    refused(
        make422("\"signing\":{\"scheme\":\"md5\",\"secrets\":[\"a\"]}"),
        "signing.scheme",
        "wstash");
    refused(make422("\"signing\":{\"secrets\":[\"short\"]}"), "signing.secrets", "whsec_");
    refused(make422("\"signing\":{\"secrets\":[]}"), "signing.secrets", "must be one");
    refused(make422("\"signing\":{\"scheme\":\"wstash\"}"), "signing.secrets", "rotate");
  }

  private static String oauth2(String tokenUrl) {
    return "\"auth\":{\"type\":\"oauth2\",\"tokenUrl\":\"%s\",\"clientId\":\"c\",\"clientSecret\":\"s\"}"
        .formatted(tokenUrl);
  }

  private static Client.Reply make422(String field) {
    return admin.post("/v1/url-groups", body("bad", "," + field));
  }

  @Test
  void baseUrl_isGuarded() {
    for (String url : new String[] {
      "http://127.0.0.1/", "http://10.0.0.1", "http://[::1]/", "http://169.254.169.254/",
      "http://localhost/", "ftp://a.example", "https://u:p@a.example", "https://a.example/?q=1"
    }) {
      refused(
          admin.post("/v1/url-groups", "{\"name\":\"g\",\"baseUrl\":\"%s\"}".formatted(url)),
          "baseUrl",
          "");
    }
  }

  @Test
  void name_isUniqueInATenant_andNeverChanges() {
    make("once", "");
    assertThat(admin.post("/v1/url-groups", body("once", "")).status()).isEqualTo(409);
    Client.Reply renamed = admin.put("/v1/url-groups/once", "{\"name\":\"twice\"}");
    refused(renamed, "name", "must stay 'once': a name cannot be changed");
    assertThat(renamed.text("/detail")).startsWith("name must stay");
    assertThat(admin.put("/v1/url-groups/once", "{\"name\":\"once\"}").status()).isEqualTo(200);
  }

  @Test
  void put_changesWhatIsGiven_andKeepsSecretsUnderStars() {
    make("kept", ",\"description\":\"a\",\"auth\":{\"type\":\"bearer\",\"token\":\"hush\"}");
    Client.Reply changed = admin.put("/v1/url-groups/kept", "{\"description\":\"b\"}");
    assertThat(changed.text("/description")).isEqualTo("b");
    assertThat(changed.text("/auth/token")).isEqualTo("***");
    changed =
        admin.put("/v1/url-groups/kept", "{\"auth\":{\"type\":\"bearer\",\"token\":\"***\"}}");
    assertThat(changed.status()).isEqualTo(200);
    assertThat(admin.get("/v1/url-groups/kept/auth/test").text("/headers/authorization"))
        .isEqualTo("Bearer ***");
    refused(
        admin.put(
            "/v1/url-groups/kept",
            "{\"auth\":{\"type\":\"header\",\"name\":\"x-k\",\"value\":\"***\"}}"),
        "auth",
        "none is kept");
    changed = admin.put("/v1/url-groups/kept", "{\"auth\":null,\"description\":null}");
    assertThat(changed.text("/auth/type")).isEqualTo("none");
    assertThat(changed.body().at("/description").isNull()).isTrue();
  }

  @Test
  void auth_isSetAndShownMasked() {
    make("authed", "");
    assertThat(
            admin.get("/v1/url-groups/authed/auth/test").body().at("/headers").size())
        .isZero();
    Client.Reply set = admin.post(
        "/v1/url-groups/authed/auth",
        "{\"type\":\"header\",\"name\":\"X-Key\",\"value\":\"hush\"}");
    assertThat(set.status()).isEqualTo(200);
    assertThat(set.raw().body()).doesNotContain("hush");
    Client.Reply test = admin.get("/v1/url-groups/authed/auth/test");
    assertThat(test.text("/headers/X-Key")).isEqualTo("***");
  }

  @Test
  void rateLimits_areReadAndChanged() {
    make("limited", "");
    assertThat(admin.get("/v1/url-groups/limited/rate-limits").raw().body())
        .isEqualTo("{\"requestsPerSecond\":null,\"concurrentRequests\":null}");
    admin.put("/v1/url-groups/limited/rate-limits", "{\"concurrentRequests\":3}");
    assertThat(admin
            .put("/v1/url-groups/limited/rate-limits", "{\"requestsPerSecond\":1}")
            .raw()
            .body())
        .isEqualTo("{\"requestsPerSecond\":1.0,\"concurrentRequests\":3}");
    refused(
        admin.put("/v1/url-groups/limited/rate-limits", "{\"requestsPerSecond\":0}"),
        "requestsPerSecond",
        "more than 0");
  }

  @Test
  void rotation_givesASecretOnce_andKeepsTwoAtMost() {
    make("signed", "");
    Client.Reply first = admin.post("/v1/url-groups/signed/secrets/rotate", null);
    assertThat(first.status()).isEqualTo(200);
    assertThat(first.text("/secret")).startsWith("whsec_");
    assertThat(first.body().at("/previousUntil").isNull()).isTrue();
    Client.Reply second =
        admin.post("/v1/url-groups/signed/secrets/rotate", "{\"overlap\":\"1h\"}");
    assertThat(second.text("/secret")).isNotEqualTo(first.text("/secret"));
    assertThat(second.body().at("/previousUntil").isNull()).isFalse();
    admin.post("/v1/url-groups/signed/secrets/rotate", null);
    assertThat(admin.get("/v1/url-groups/signed").body().at("/signing/secrets").size())
        .isEqualTo(2);
    admin.post("/v1/url-groups/signed/secrets/rotate", "{\"overlap\":\"0s\"}");
    Client.Reply read = admin.get("/v1/url-groups/signed");
    assertThat(read.body().at("/signing/secrets").size()).isEqualTo(1);
    assertThat(read.raw().body()).doesNotContain("whsec_");
    assertThat(server.dump()).doesNotContain("whsec_");
    refused(
        admin.post("/v1/url-groups/signed/secrets/rotate", "{\"overlap\":\"999d\"}"),
        "overlap",
        "720h");
  }

  @Test
  void breakerHealthAndMetrics_areThereForAGroupWithoutJobs() {
    make("idle", "");
    assertThat(admin.get("/v1/url-groups/idle/circuit-breaker").raw().body())
        .isEqualTo("{\"state\":\"CLOSED\",\"failureRate\":0.0,\"calls\":0,\"openUntil\":null,"
            + "\"heldUntil\":null,\"errorThreshold\":null,\"window\":null,"
            + "\"minimumCalls\":null,\"slowCallThreshold\":null,\"tripDuration\":null,"
            + "\"halfOpenMaxRequests\":null}");
    assertThat(admin.post("/v1/url-groups/idle/circuit-breaker/reset", null).text("/state"))
        .isEqualTo("CLOSED");
    Client.Reply health = admin.get("/v1/url-groups/idle/health");
    assertThat(health.text("/status")).isEqualTo("unknown");
    assertThat(health.text("/circuitBreaker/state")).isEqualTo("CLOSED");
    Client.Reply metrics = admin.get("/v1/url-groups/idle/metrics");
    assertThat(metrics.body().at("/jobs/PENDING").asInt()).isZero();
    assertThat(metrics.body().at("/jobs").size()).isEqualTo(8);
  }

  @Test
  void list_isPagedByName() {
    Client other = server.tenant("listed");
    for (String name : new String[] {"c", "a", "b"}) {
      other.post("/v1/url-groups", body(name, ""));
    }
    Client.Reply first = other.get("/v1/url-groups?limit=2");
    assertThat(first.text("/items/0/name") + first.text("/items/1/name")).isEqualTo("ab");
    Client.Reply rest = other.get("/v1/url-groups?limit=2&cursor=" + first.text("/nextCursor"));
    assertThat(rest.text("/items/0/name")).isEqualTo("c");
    assertThat(rest.body().at("/nextCursor").isNull()).isTrue();
  }

  @Test
  void group_isAnotherTenantsNothing() {
    String id = make("private", "").text("/id");
    Client other = server.tenant("stranger");
    for (String path : new String[] {"private", id, "private/auth/test", "private/metrics"}) {
      assertThat(other.get("/v1/url-groups/" + path).status()).isEqualTo(404);
    }
    assertThat(other.put("/v1/url-groups/" + id, "{\"description\":\"x\"}").status())
        .isEqualTo(404);
    assertThat(other.delete("/v1/url-groups/" + id).status()).isEqualTo(404);
    assertThat(other.post("/v1/url-groups/" + id + "/secrets/rotate", null).status())
        .isEqualTo(404);
    assertThat(other.post("/v1/url-groups", body("private", "")).status()).isEqualTo(201);
  }

  @Test
  void delete_takesTheGroupAway() {
    make("gone", "");
    assertThat(admin.delete("/v1/url-groups/gone").status()).isEqualTo(204);
    assertThat(admin.get("/v1/url-groups/gone").status()).isEqualTo(404);
    assertThat(admin.delete("/v1/url-groups/gone").status()).isEqualTo(404);
  }

  @Test
  void delete_ofAGroupThatQueuesName_wantsForce_whichTakesItAwayThere() {
    make("named", "");
    make("other", "");
    queue("named-a", "named");
    queue("named-b", "named");
    queue("elsewhere", "other");
    Client.Reply refused = Expect.refused(409, "CONFLICT", admin.delete("/v1/url-groups/named"));
    assertThat(refused.text("/detail")).contains("'named-a'", "'named-b'", "force=true");
    assertThat(admin.get("/v1/queues/named-a").text("/urlGroup")).isEqualTo("named");

    assertThat(admin.delete("/v1/url-groups/named?force=true").status()).isEqualTo(204);
    for (String queue : List.of("named-a", "named-b")) {
      assertThat(
              Expect.ok(200, admin.get("/v1/queues/" + queue)).path("urlGroup").isNull())
          .isTrue();
      Expect.ok(200, admin.put("/v1/queues/" + queue, "{\"maxSize\":7}"));
      assertThat(changes(queue)).as(queue).isEqualTo(2);
    }
    assertThat(admin.get("/v1/queues/elsewhere").text("/urlGroup")).isEqualTo("other");
    assertThat(changes("elsewhere")).isZero();
  }

  private static void queue(String name, String group) {
    Expect.ok(
        201,
        admin.post("/v1/queues", "{\"name\":\"%s\",\"urlGroup\":\"%s\"}".formatted(name, group)));
  }

  /** How often the audit log says that a queue was changed. */
  private static long changes(String queue) {
    return server.query("select object from {schema}.audit where action = 'queue.change'").stream()
        .filter(queue::equals)
        .count();
  }
}
