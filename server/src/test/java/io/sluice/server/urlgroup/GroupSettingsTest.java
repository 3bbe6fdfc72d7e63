package io.sluice.server.urlgroup;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.TestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What is refused, and how, of health checks, switches, and what is asked about groups. */
class GroupSettingsTest {
  private static TestServer server;
  private static Client admin;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    admin = server.admin();
    Expect.ok(
        201,
        admin.post("/v1/url-groups", "{\"name\":\"there\",\"baseUrl\":\"https://a.example/b\"}"));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static void refused(Client.Reply reply, String field, String message) {
    Expect.invalid(field, reply);
    assertThat(reply.raw().body()).contains(message);
  }

  private static void check(String field, String fields, String message) {
    refused(
        admin.put("/v1/url-groups/there", "{\"healthCheck\":{\"endpoint\":\"/h\"," + fields + "}}"),
        "healthCheck." + field,
        message);
  }

  @Test
  void healthCheck_saysWhatWouldBeRight() {
    check("interval", "\"interval\":\"999ms\"", "1s to 24h");
    check("interval", "\"interval\":\"25h\"", "1s to 24h");
    check("interval", "\"interval\":\"1s\",\"timeout\":\"2s\"", "at least the timeout");
    check("timeout", "\"timeout\":\"61s\"", "10ms to 60s");
    check("timeout", "\"timeout\":\"0s\"", "10ms to 60s");
    check("maxLatency", "\"maxLatency\":\"6s\"", "5000ms");
    check("maxLatency", "\"timeout\":\"1s\",\"maxLatency\":\"0s\"", "1000ms");
    check("expectStatus", "\"expectStatus\":[]", "left out for any 2xx");
    check("expectStatus[1]", "\"expectStatus\":[200,99]", "100 to 599");
    check("expectBody", "\"expectBody\":\"\"", "must not be empty");
    check("failureThreshold", "\"failureThreshold\":0", "1 to 100");
    check("successThreshold", "\"successThreshold\":101", "1 to 100");
    check("holdJobs", "\"holdJobs\":\"yes\"", "must be");
    check("hold", "\"hold\":true", "not a field");
    for (String endpoint : new String[] {"/../x", "//a.example/", "http://10.0.0.1/", "health"}) {
      refused(
          admin.put(
              "/v1/url-groups/there", "{\"healthCheck\":{\"endpoint\":\"" + endpoint + "\"}}"),
          "healthCheck.endpoint",
          "");
    }
    refused(
        admin.put("/v1/url-groups/there", "{\"healthCheck\":{\"interval\":\"1s\"}}"),
        "healthCheck.endpoint",
        "missing");
    refused(
        admin.put("/v1/url-groups/there", "{\"healthCheck\":{\"endpoint\":\"/h?api_key=1\"}}"),
        "healthCheck.endpoint",
        "credential");
  }

  @Test
  void disableAfter_isOneMinuteToAYear_andTimesAreNotGiven() {
    refused(
        admin.put("/v1/url-groups/there", "{\"disableAfter\":\"59s\"}"),
        "disableAfter",
        "1m to 365d");
    refused(
        admin.put("/v1/url-groups/there", "{\"disableAfter\":\"366d\"}"),
        "disableAfter",
        "1m to 365d");
    refused(
        admin.put("/v1/url-groups/there", "{\"disabledReason\":\"x\"}"),
        "disabledReason",
        "not a field");
    Client.Reply set = admin.put("/v1/url-groups/there", "{\"disableAfter\":\"5d\"}");
    assertThat(set.text("/disableAfter")).isEqualTo("120h");
    assertThat(set.body().at("/enabled").asBoolean()).isTrue();
  }

  @Test
  void secret_mustBeAString() {
    refused(
        admin.put("/v1/url-groups/there", "{\"signing\":{\"secrets\":[true]}}"),
        "signing.secrets[0]",
        "must be a string");
  }

  @Test
  void put_changesWhatItGives_alsoInsideObjects() {
    Expect.ok(201, admin.post("/v1/url-groups", """
            {"name":"inner","baseUrl":"https://a.example/b",
             "defaultHeaders":{"x-a":"1","x-b":"2"},
             "retry":{"maxAttempts":8,"initialDelay":"2s"},
             "rateLimits":{"requestsPerSecond":5,"burst":9,"concurrentRequests":4},
             "circuitBreaker":{"errorThreshold":0.4,"minimumCalls":7},
             "healthCheck":{"endpoint":"/h","interval":"5s"},
             "signing":{"scheme":"wstash","secrets":["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]}}"""));
    JsonNode now = Expect.ok(200, admin.put("/v1/url-groups/inner", """
                {"defaultHeaders":{"x-c":"3"},
                 "retry":{"maxAttempts":3},
                 "rateLimits":{"concurrentRequests":2},
                 "circuitBreaker":{"minimumCalls":null,"window":"2m"},
                 "healthCheck":{"interval":"9s"},
                 "signing":{"secrets":["***"]}}"""));
    assertThat(now.at("/defaultHeaders")).hasToString("{\"x-c\":\"3\"}");
    assertThat(now.at("/retry/maxAttempts").asInt()).isEqualTo(3);
    assertThat(now.at("/retry/initialDelay").asString()).isEqualTo("2s");
    assertThat(now.at("/rateLimits"))
        .hasToString("{\"requestsPerSecond\":5.0,\"burst\":9,\"concurrentRequests\":2}");
    assertThat(now.at("/circuitBreaker/errorThreshold").asDouble()).isEqualTo(0.4);
    assertThat(now.at("/circuitBreaker/minimumCalls").isNull()).isTrue();
    assertThat(now.at("/circuitBreaker/window").asString()).isEqualTo("2m");
    assertThat(now.at("/healthCheck/endpoint").asString()).isEqualTo("/h");
    assertThat(now.at("/signing/scheme").asString()).isEqualTo("wstash");
  }

  @Test
  void put_givesARateItsOwnBurst_andTakesTheBurstAwayWithTheRate() {
    Expect.ok(201, admin.post("/v1/url-groups", """
            {"name":"rates","baseUrl":"https://a.example/b",
             "rateLimits":{"requestsPerSecond":5,"burst":9,"concurrentRequests":4}}"""));
    assertThat(limits("{\"requestsPerMinute\":60}"))
        .isEqualTo(
            "{\"requestsPerSecond\":null,\"requestsPerMinute\":60.0,\"concurrentRequests\":4}");
    assertThat(limits("{\"burst\":3}")).contains("\"requestsPerMinute\":60.0,\"burst\":3,");
    assertThat(limits("{\"requestsPerMinute\":null}"))
        .isEqualTo("{\"requestsPerSecond\":null,\"concurrentRequests\":4}");
    refused(
        admin.put("/v1/url-groups/rates", "{\"rateLimits\":{\"burst\":3}}"),
        "rateLimits.burst",
        "must go with a rate");
    Expect.ok(200, admin.put("/v1/url-groups/rates", "{\"rateLimits\":null}"));
    assertThat(admin.get("/v1/url-groups/rates").body().at("/rateLimits").isNull())
        .isTrue();
  }

  private static String limits(String given) {
    return Expect.ok(200, admin.put("/v1/url-groups/rates", "{\"rateLimits\":" + given + "}"))
        .at("/rateLimits")
        .toString();
  }

  @Test
  void questions_areChecked() {
    refused(admin.get("/v1/url-groups/there/metrics?window=10s"), "window", "1m to 24h");
    refused(admin.get("/v1/url-groups/there/metrics?window=soon"), "window", "such as");
    refused(admin.get("/v1/url-groups/there/metrics?limit=1"), "limit", "known are window");
    refused(admin.get("/v1/url-groups/there/deliveries?cursor=x"), "cursor", "nextCursor");
    refused(admin.get("/v1/url-groups/there/deliveries?failed=maybe"), "failed", "true or false");
    Expect.refused(404, "NOT_FOUND", admin.get("/v1/url-groups/nobody/deliveries"));
    Expect.refused(404, "NOT_FOUND", admin.get("/v1/url-groups/nobody/health"));
  }
}
