package io.sluice.server.job;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static io.sluice.server.Expect.texts;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Many jobs at once, all or none, and how large jobs may be. */
class BatchTest {
  private static final int MIB = 1 << 20;

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

  private static String batch(List<String> jobs) {
    return "{\"jobs\":[" + String.join(",", jobs) + "]}";
  }

  private static Client.Reply send(Client client, String... jobs) {
    return client.post("/v1/jobs/batch", batch(List.of(jobs)));
  }

  private static int jobsOf(Client client) {
    return ok(200, client.get("/v1/jobs?limit=250")).path("items").size();
  }

  @Test
  void batch_isTakenInOrder() {
    Client client = tenant("order");
    JsonNode items = ok(
            201,
            send(
                client,
                "{\"type\":\"a\"}",
                "{\"type\":\"b\",\"delay\":\"1h\",\"idempotencyKey\":\"k\"}",
                "{\"url\":\"https://example.com\"}",
                "{\"type\":\"b\",\"idempotencyKey\":\"k\"}"))
        .path("items");
    assertThat(texts(items, "state")).startsWith("PENDING", "SCHEDULED", "PENDING");
    assertThat(texts(items, "duplicate")).containsExactly("false", "false", "false", "true");
    assertThat(items.get(3).path("id")).isEqualTo(items.get(1).path("id"));
    List<String> types = texts(items, "id").stream()
        .map(id -> client.get("/v1/jobs/" + id).text("/type"))
        .toList();
    assertThat(types).containsExactly("a", "b", "http", "b");
  }

  @Test
  void oneBadJob_refusesAll_andIsNamed() {
    Client client = tenant("atomic");
    invalid(
        "jobs[1].priority", send(client, "{\"type\":\"a\"}", "{\"type\":\"a\",\"priority\":99}"));
    invalid("jobs[1].nam", send(client, "{\"type\":\"a\"}", "{\"type\":\"a\",\"nam\":1}"));
    invalid(
        "jobs[2].timeout",
        send(
            client, "{\"type\":\"a\"}", "{\"type\":\"a\"}", "{\"type\":\"a\",\"timeout\":\"0s\"}"));
    invalid("jobs[1].url", send(client, "{\"type\":\"a\"}", "{}"));
    invalid("jobs[1]", send(client, "{\"type\":\"a\"}", "null"));
    invalid(
        "jobs[1].payload",
        send(client, "{\"type\":\"a\"}", "{\"type\":\"a\",\"payload\":\"\\u0000\"}"));
    invalid(
        "jobs[1].retry.on.TIMEOUT.jitter",
        send(
            client,
            "{\"type\":\"a\"}",
            "{\"type\":\"a\",\"retry\":{\"on\":{\"TIMEOUT\":{\"jitter\":7}}}}"));
    Client.Reply unknown =
        send(client, "{\"type\":\"a\"}", "{\"type\":\"a\",\"queue\":\"nowhere\"}");
    assertThat(refused(404, "NOT_FOUND", unknown).text("/detail"))
        .contains("jobs[1].queue", "'nowhere'");
    assertThat(jobsOf(client)).isZero();
  }

  @Test
  void errors_ofManyBadJobs_areToldTogether_butNotWithoutEnd() {
    Client.Reply reply = tenant("many")
        .post("/v1/jobs/batch", batch(Collections.nCopies(500, "{\"type\":\"a\",\"cost\":0}")));
    invalid("jobs[0].cost", reply);
    assertThat(reply.body().path("errors").size()).isBetween(2, 30);
  }

  @Test
  void emptyAndStrangeBatches_areRefused() {
    Client client = tenant("strange");
    invalid("jobs", client.post("/v1/jobs/batch", "{}"));
    invalid("jobs", client.post("/v1/jobs/batch", "{\"jobs\":[]}"));
    invalid("jobs", client.post("/v1/jobs/batch", "{\"jobs\":{}}"));
    refused(400, "MALFORMED", client.post("/v1/jobs/batch", "[]"));
    invalid(
        "Idempotency-Key",
        client.send(
            "POST", "/v1/jobs/batch", batch(List.of("{\"type\":\"a\"}")), "Idempotency-Key", "k"));
  }

  @Test
  void tenThousandJobs_areTaken_andOneMoreIsTooMany() {
    Client client = tenant("bulk");
    String many = IntStream.range(0, 10_000)
        .mapToObj(i -> "{\"type\":\"a\",\"payload\":" + i + "}")
        .collect(Collectors.joining(","));
    JsonNode items =
        ok(201, client.post("/v1/jobs/batch", "{\"jobs\":[" + many + "]}")).path("items");
    assertThat(items.size()).isEqualTo(10_000);
    String last = items.get(9_999).path("id").asString();
    assertThat(client.get("/v1/jobs/" + last).body().path("payload").asInt()).isEqualTo(9_999);
    refused(
        413,
        "TOO_LARGE",
        client.post("/v1/jobs/batch", "{\"jobs\":[" + many + ",{\"type\":\"a\"}]}"));
  }

  @Test
  void fullQueue_refusesTheWholeBatch_andSaysWhenToComeBack() {
    Client client = tenant("full");
    ok(201, client.post("/v1/queues", "{\"name\":\"small\",\"maxSize\":2}"));
    String job = "{\"type\":\"a\",\"queue\":\"small\"}";
    Client.Reply reply = send(client, job, job, job);
    assertThat(refused(429, "QUEUE_FULL", reply).header("retry-after")).isNotEmpty();
    assertThat(jobsOf(client)).isZero();
    ok(201, send(client, job, job));
    assertThat(refused(429, "QUEUE_FULL", client.post("/v1/jobs", job)).header("retry-after"))
        .isNotEmpty();
  }

  @Test
  void bodies_ofOneMebibyte_areTaken_however_theyAreSpelled_andOneByteMoreIsNot() {
    Client client = tenant("size");
    String payload = "\"" + "x".repeat(MIB - 2) + "\"";
    ok(201, client.post("/v1/jobs", "{\"type\":\"t\",\"payload\":" + payload + "}"));
    tooLarge(client, "{\"type\":\"t\",\"payload\":\"x" + payload.substring(1) + "}", "payload");
    for (String letter : new String[] {"x", "\\\"", "\\u0001"}) {
      String text = letter.repeat(MIB);
      ok(201, client.post("/v1/jobs", http("body", text)));
      tooLarge(client, http("body", text + letter), "body");
    }
    String umlauts = "ü".repeat(MIB / 2);
    ok(201, client.post("/v1/jobs", http("body", umlauts)));
    tooLarge(client, http("body", umlauts + "x"), "body");
    String bytes = Base64.getEncoder().encodeToString(new byte[MIB]);
    String id =
        ok(201, client.post("/v1/jobs", http("bodyBase64", bytes))).path("id").asString();
    assertThat(client.get("/v1/jobs/" + id).text("/bodyBase64")).isEqualTo(bytes);
    tooLarge(
        client,
        http("bodyBase64", Base64.getEncoder().encodeToString(new byte[MIB + 1])),
        "bodyBase64");
    assertThat(refused(
                413,
                "TOO_LARGE",
                send(client, "{\"type\":\"t\"}", http("body", "x".repeat(MIB + 1))))
            .text("/detail"))
        .startsWith("jobs[1].body");
  }

  private static String http(String field, String text) {
    return "{\"url\":\"https://example.com\",\"" + field + "\":\"" + text + "\"}";
  }

  private static void tooLarge(Client client, String json, String field) {
    assertThat(refused(413, "TOO_LARGE", client.post("/v1/jobs", json)).text("/detail"))
        .startsWith(field + " ");
  }

  @Test
  void bodyThatSaysItIsTooLarge_isRefused_beforeItIsSent() throws IOException {
    URI address = URI.create(server.admin().address());
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(20_000);
      String head = "POST /v1/jobs/batch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
          + TestServer.ADMIN_KEY + "\r\nContent-Length: 99999999\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      byte[] answer = socket.getInputStream().readNBytes(12);
      assertThat(new String(answer, StandardCharsets.US_ASCII)).isEqualTo("HTTP/1.1 413");
    }
  }
}
