package io.sluice.server.rest;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Input that looks like something else: nulls, blanks and texts that no database keeps. */
class StrictInputTest {
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void nullsInListsAndMaps_areRefused_byTheirPlace() {
    Client client = server.tenant("nulls");
    String claim = "/v1/queues/default/claim";
    invalid("types[0]", client.post(claim, "{\"worker\":\"w\",\"types\":[null]}"));
    invalid("types[1]", client.post(claim, "{\"worker\":\"w\",\"types\":[\"a\",null]}"));
    invalid(
        "headers.x",
        client.post("/v1/jobs", "{\"url\":\"https://a.com\",\"headers\":{\"x\":null}}"));
    invalid("after[0]", client.post("/v1/jobs", "{\"type\":\"t\",\"after\":[null]}"));
    invalid("jobs[1]", client.post("/v1/jobs/batch", "{\"jobs\":[{\"type\":\"t\"},null]}"));
    invalid(
        "retry.on.TIMEOUT",
        client.post("/v1/jobs", "{\"type\":\"t\",\"retry\":{\"on\":{\"TIMEOUT\":null}}}"));
    String group = "{\"name\":\"g\",\"baseUrl\":\"https://a.com\",%s}";
    invalid(
        "ipAllowlist[0]", client.post("/v1/url-groups", group.formatted("\"ipAllowlist\":[null]")));
    invalid(
        "defaultHeaders.x",
        client.post("/v1/url-groups", group.formatted("\"defaultHeaders\":{\"x\":null}")));
    invalid(
        "signing.secrets[0]",
        client.post(
            "/v1/url-groups",
            group.formatted("\"signing\":{\"scheme\":\"standard-webhooks\",\"secrets\":[null]}")));
    ok(201, client.post("/v1/jobs", "{\"type\":\"t\",\"metadata\":{\"custom\":{\"a\":null}}}"));
  }

  @Test
  void blankAndPaddedTexts_areNeitherNull_norTrimmed() {
    Client client = server.tenant("blanks");
    ok(201, client.post("/v1/queues", "{\"name\":\"q\",\"maxSize\":10,\"ordered\":\"queue\"}"));
    for (String blank : List.of("", " ", "\\t", "\\u0000", " 5 ", "5")) {
      String value = "\"" + blank + "\"";
      for (String field : List.of("maxSize", "maxConcurrent", "enabled", "deadLetter")) {
        invalid(field, client.put("/v1/queues/q", "{\"" + field + "\":" + value + "}"));
      }
      invalid(
          "rateLimit.burst",
          client.put("/v1/queues/q", "{\"rateLimit\":{\"burst\":" + value + "}}"));
      invalid(
          "rateLimit.perSecond",
          client.put("/v1/queues/q", "{\"rateLimit\":{\"perSecond\":" + value + "}}"));
      invalid(
          "defaultRetry.jitter",
          client.put("/v1/queues/q", "{\"defaultRetry\":{\"jitter\":" + value + "}}"));
      invalid("ordered", client.put("/v1/queues/q", "{\"ordered\":" + value + "}"));
    }
    for (String word :
        List.of(" queue", "queue ", " Queue ", "\\u0000queue", "queue\\n", "que ue")) {
      invalid("ordered", client.put("/v1/queues/q", "{\"ordered\":\"" + word + "\"}"));
    }
    assertThat(client.get("/v1/queues/q").body().path("maxSize").asInt()).isEqualTo(10);
    assertThat(client.get("/v1/queues/q").text("/ordered")).isEqualTo("queue");
  }

  @Test
  void words_areReadInLargeAndSmallLetters() {
    Client client = server.tenant("words");
    ok(201, client.post("/v1/queues", "{\"name\":\"q\",\"ordered\":\"Queue\"}"));
    assertThat(client.get("/v1/queues/q").text("/ordered")).isEqualTo("queue");
    ok(201, client.post("/v1/jobs", "{\"url\":\"https://example.com\",\"method\":\"post\"}"));
    invalid(
        "method",
        client.post("/v1/jobs", "{\"url\":\"https://example.com\",\"method\":\" post\"}"));
    ok(201, client.post("/v1/jobs", "{\"type\":\"t\",\"retry\":{\"strategy\":\"LINEAR\"}}"));
    invalid(
        "parent",
        client.post(
            "/v1/batches",
            "{\"name\":\"b\",\"jobs\":[],\"parent\":\" 01920000-0000-7000-8000-000000000000\"}"));
  }

  @Test
  void numbers_keepTheirDigits() {
    Client client = server.tenant("digits");
    String digits = "[-0.0,1E5,1e400,9007199254740993.5,10.00]";
    for (String job : List.of(
        "{\"type\":\"t\",\"payload\":%s}", "{\"url\":\"https://example.com\",\"body\":%s}")) {
      String id =
          ok(201, client.post("/v1/jobs", job.formatted(digits))).path("id").asString();
      assertThat(client.get("/v1/jobs/" + id).raw().body()).contains(digits);
    }
  }

  @Test
  void faults_areNamedByTheFieldsOfTheBody() {
    Client client = server.tenant("fields");
    ok(201, client.post("/v1/url-groups", "{\"name\":\"g\",\"baseUrl\":\"https://example.com\"}"));
    invalid(
        "requestsPerSecond",
        client.put("/v1/url-groups/g/rate-limits", "{\"requestsPerSecond\":-1}"));
    invalid("", client.post("/v1/jobs", "{\"\":1}"));
  }

  @Test
  void timesBeyondWhatIsKept_areRefused_byTheirField() {
    Client client = server.tenant("times");
    for (String day : List.of("-999999999-01-01", "0000-01-01", "%2B10000-01-01", "-0001-01-01")) {
      invalid("to", client.get("/v1/tenants/times/usage?to=" + day));
      invalid("from", client.get("/v1/tenants/times/usage?from=" + day));
      invalid("from", client.get("/v1/jobs?from=" + day + "T00:00:00Z"));
      invalid("to", server.admin().get("/v1/audit?to=" + day + "T00:00:00Z"));
    }
    invalid("to", client.get("/v1/tenants/times/usage?to=9999-12-31T23:59:59-01:00"));
    ok(200, client.get("/v1/tenants/times/usage?to=0001-01-01"));
    ok(200, client.get("/v1/jobs?from=0001-01-01T00:00:00Z&to=9999-12-31T00:00:00Z"));
    invalid(
        "runAt",
        client.post("/v1/jobs", "{\"type\":\"t\",\"runAt\":\"+999999999-01-01T00:00:00Z\"}"));
    invalid("from", client.post("/v1/dlq/replay", "{\"from\":\"0000-01-01T00:00:00Z\"}"));
  }

  @Test
  void cursors_fitTheirOwnListAlone() {
    Client client = server.tenant("cursors");
    String id = ok(200, client.get("/v1/tenants/cursors")).path("id").asString();
    ok(201, client.post("/v1/url-groups", "{\"name\":\"g\",\"baseUrl\":\"https://example.com\"}"));
    ok(201, client.post("/v1/url-groups", "{\"name\":\"h\",\"baseUrl\":\"https://example.com\"}"));
    JsonNode first = ok(200, client.get("/v1/url-groups?limit=1"));
    String cursor = first.path("nextCursor").asString();
    JsonNode second = ok(200, client.get("/v1/url-groups?limit=1&cursor=" + cursor));
    assertThat(second.at("/items/0/name").asString()).isEqualTo("h");
    for (String list : List.of(
        "/v1/url-groups",
        "/v1/circuit-breakers",
        "/v1/tenants",
        "/v1/tenants/cursors/keys",
        "/v1/audit",
        "/v1/url-groups/g/deliveries",
        "/v1/queues",
        "/v1/limits",
        "/v1/workers",
        "/v1/batches",
        "/v1/jobs",
        "/v1/dlq")) {
      invalid("cursor", client.get(list + "?cursor=g"));
      invalid("cursor", client.get(list + "?cursor=" + id));
      invalid("cursor", client.get(list + "?cursor="));
      if (!list.equals("/v1/url-groups")) {
        invalid("cursor", client.get(list + "?cursor=" + cursor));
      }
    }
    invalid("cursor", server.tenant("cursors2").get("/v1/url-groups?cursor=" + cursor));
  }

  @Test
  void textsWithNul_doNotReachTheDatabase() {
    Client client = server.tenant("nul");
    for (String path : List.of(
        "/v1/url-groups/%00",
        "/v1/url-groups/a%00",
        "/v1/queues/%00",
        "/v1/jobs/%00",
        "/v1/circuit-breakers/a%00",
        "/v1/limits/%00",
        "/v1/tenants/%00")) {
      refused(404, "NOT_FOUND", client.get(path));
    }
    refused(404, "NOT_FOUND", client.post("/v1/circuit-breakers/a%00/reset", null));
    for (String list : List.of("url-groups", "circuit-breakers", "queues", "tenants", "jobs")) {
      invalid("cursor", client.get("/v1/" + list + "?cursor=%00"));
    }
    String nul = "\"a\\u0000\"";
    invalid("urlGroup", client.post("/v1/jobs", "{\"urlGroup\":" + nul + ",\"path\":\"/\"}"));
    invalid(
        "jobs[0].urlGroup",
        client.post("/v1/jobs/batch", "{\"jobs\":[{\"urlGroup\":" + nul + ",\"path\":\"/\"}]}"));
    invalid("urlGroup", client.post("/v1/queues", "{\"name\":\"q\",\"urlGroup\":" + nul + "}"));
    invalid("urlGroup", client.post("/v1/dlq/replay", "{\"urlGroup\":" + nul + "}"));
    invalid(
        "description",
        client.post(
            "/v1/url-groups",
            "{\"name\":\"g\",\"baseUrl\":\"https://a.com\",\"description\":" + nul + "}"));
    invalid("actor", server.admin().get("/v1/audit?actor=%00"));
  }

  /** A group with such a secret could be made, and every use of it was 500. */
  @Test
  void secretsThatCannotBeKept_areRefused_byTheirField() {
    Client client = server.tenant("secrets");
    String group = "{\"name\":\"g\",\"baseUrl\":\"https://a.com\",%s}";
    for (String odd : List.of("\"a\\u0000\"", "\"\\ud800\"", "5")) {
      String signing = "\"signing\":{\"scheme\":\"wstash\",\"secrets\":[" + odd + "]}";
      invalid("signing.secrets[0]", client.post("/v1/url-groups", group.formatted(signing)));
      String auth = "{\"type\":\"bearer\",\"token\":" + odd + "}";
      invalid("auth.token", client.post("/v1/url-groups", group.formatted("\"auth\":" + auth)));
    }
  }
}
