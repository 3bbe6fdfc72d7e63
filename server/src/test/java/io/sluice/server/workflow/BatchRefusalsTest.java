package io.sluice.server.workflow;

import static io.sluice.server.Expect.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Batches that are not taken, whole, and what is said of them. */
class BatchRefusalsTest {
  private static final String NOBODY = "0192f0c1-2b7e-7000-8000-000000000000";

  private static TestServer server;
  private static Client client;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
    client = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String jobs(String... jobs) {
    return "{\"name\":\"b\",\"jobs\":[" + String.join(",", jobs) + "]}";
  }

  /** What is wrong, by the field that is named for it. */
  private static String wrong(String body) {
    Client.Reply reply = client.post("/v1/batches", body);
    assertThat(reply.status()).as(body + reply.raw().body()).isEqualTo(422);
    return reply.text("/errors/0/field") + " " + reply.text("/errors/0/message");
  }

  @Test
  void whatIsWrong_isNamedByItsPlace() {
    Map<String, String> table = new LinkedHashMap<>();
    table.put("{\"jobs\":[]}", "name is missing");
    table.put("{\"name\":\"b\"}", "jobs must be a list of 0 to 10000 jobs");
    table.put("{\"name\":\" \",\"jobs\":[]}", "name must be 1 to 128 characters");
    table.put("{\"name\":\"b\",\"jobs\":[],\"x\":1}", "x is not a field here");
    table.put("{\"name\":\"b\",\"jobs\":[],\"parent\":\"x\"}", "parent must be an id");
    table.put(jobs("{\"type\":\"a\"}", "null"), "jobs[1] must be an object");
    table.put(jobs("{\"type\":\"a\"}", "{\"typ\":\"a\"}"), "jobs[1].typ is not a field here");
    table.put(jobs("{\"type\":\"a\"}", "{\"type\":\"a\",\"cost\":0}"), "jobs[1].cost must be");
    table.put(jobs("{\"name\":\"a b\",\"type\":\"a\"}"), "jobs[0].name must be 1 to 64 of A-Z");
    table.put(
        jobs("{\"name\":\"" + NOBODY + "\",\"type\":\"a\"}"),
        "jobs[0].name must not look like a UUID");
    table.put(
        jobs("{\"name\":\"a\",\"type\":\"a\"}", "{\"name\":\"a\",\"type\":\"a\"}"),
        "jobs[1].name must be used once");
    table.put(
        jobs("{\"type\":\"a\"}", "{\"type\":\"b\",\"after\":[\"nobody\"]}"),
        "jobs[1].after of step '2' names 'nobody', and the batch has no such step");
    table.put(
        jobs("{\"type\":\"a\",\"after\":[7]}"),
        "jobs[0].after[0] must be a text, the id of a job or a batch or in a new batch the name of");
    table.put(
        jobs("{\"name\":\"a\",\"type\":\"a\"}", "{\"type\":\"a\",\"after\":[\"a\",\"a\"]}"),
        "jobs[1].after must name each once, and names 'a' twice");
    table.put(
        jobs("{\"type\":\"a\",\"after\":[{\"id\":\"x\",\"name\":\"n\"}]}"),
        "jobs[0].after[0].id must be the id of a job or a batch: another job of this batch is named by");
    table.put(
        jobs(
            "{\"name\":\"a\",\"type\":\"a\"}",
            "{\"type\":\"a\",\"after\":[\"a\",{\"id\":\"" + NOBODY + "\",\"name\":\"no name\"}]}"),
        "jobs[1].after[1].name must be 1 to 64 of A-Z");
    table.put(
        jobs("{\"type\":\"a\",\"afterPolicy\":\"hold\"}"),
        "jobs[0].afterPolicy is for a job that waits for others: name them in after, or leave it out");
    table.put(
        jobs("{\"type\":\"a\",\"after\":[{\"di\":\"x\"}]}"), "jobs[0].after[0].di is not a field");
    table.put(jobs("{\"type\":\"a\",\"after\":[null]}"), "jobs[0].after[0] must be");
    table.put(
        jobs("{\"type\":\"a\",\"afterPolicy\":\"maybe\"}"),
        "jobs[0].afterPolicy must be one of cancel, hold, ifFailed, run");
    table.put(
        jobs("{\"type\":\"a\",\"idempotencyKey\":\"k\"}"),
        "jobs[0].idempotencyKey is not for a job of a batch");
    table.put(jobs("{\"type\":\"a\",\"on\":\"success\"}"), "jobs[0].on is for the callback");
    table.put(
        "{\"name\":\"b\",\"jobs\":[],\"callback\":{\"type\":\"a\",\"on\":\"never\"}}",
        "callback.on must be one of");
    table.put(
        "{\"name\":\"b\",\"jobs\":[],\"callback\":{\"type\":\"a\",\"name\":\"n\"}}",
        "callback.name is for a job in a new batch");
    table.put("{\"name\":\"b\",\"jobs\":[],\"callback\":{}}", "callback.url must be given");
    table.forEach((body, start) -> assertThat(wrong(body)).as(body).startsWith(start));
  }

  @Test
  void circle_isToldWithItsPath() {
    assertThat(wrong(jobs(
            "{\"name\":\"start\",\"type\":\"t\"}",
            "{\"name\":\"a\",\"type\":\"t\",\"after\":[\"c\",\"start\"]}",
            "{\"name\":\"b\",\"type\":\"t\",\"after\":[\"a\"]}",
            "{\"name\":\"c\",\"type\":\"t\",\"after\":[\"b\"]}")))
        .isEqualTo(
            "jobs must not wait for each other in a circle: a waits for c, which waits for b,"
                + " which waits for a");
    assertThat(wrong(jobs("{\"name\":\"a\",\"type\":\"t\",\"after\":[\"a\"]}")))
        .isEqualTo("jobs must not wait for each other in a circle: a waits for a");
  }

  @Test
  void whatIsNotThere_is404_withItsPlace_andNothingIsTaken() {
    String type = "none-of-this";
    Client.Reply after = refused(
        404,
        "NOT_FOUND",
        client.post(
            "/v1/batches",
            jobs(
                "{\"type\":\"" + type + "\"}",
                "{\"type\":\"" + type + "\",\"after\":[\"" + NOBODY + "\"]}")));
    assertThat(after.text("/detail"))
        .isEqualTo("jobs[1].after: there is no job or batch " + NOBODY);
    assertThat(after.text("/errors/0/field")).isEqualTo("jobs[1].after");
    assertThat(after.text("/errors/0/message")).isEqualTo("there is no job or batch " + NOBODY);
    Client.Reply queue = refused(
        404,
        "NOT_FOUND",
        client.post(
            "/v1/batches",
            "{\"name\":\"b\",\"jobs\":[{\"type\":\"" + type
                + "\"}],\"callback\":{\"type\":\"a\",\"queue\":\"nowhere\"}}"));
    assertThat(queue.text("/detail")).startsWith("callback.queue: there is no queue 'nowhere'");
    assertThat(queue.text("/errors/0/field")).isEqualTo("callback.queue");
    Client.Reply parent = refused(
        404,
        "NOT_FOUND",
        client.post("/v1/batches", "{\"name\":\"b\",\"jobs\":[],\"parent\":\"" + NOBODY + "\"}"));
    assertThat(parent.text("/detail")).isEqualTo("parent: there is no batch '" + NOBODY + "'");
    assertThat(parent.text("/errors/0/field")).isEqualTo("parent");
    assertThat(client.get("/v1/jobs?type=" + type).body().path("items").isEmpty())
        .isTrue();
    assertThat(client.get("/v1/batches").body().path("items").isEmpty()).isTrue();
  }

  @Test
  void tooMany_is413() {
    String many = IntStream.range(0, 10_001)
        .mapToObj(i -> "{\"type\":\"a\"}")
        .collect(Collectors.joining(",", "{\"name\":\"b\",\"jobs\":[", "]}"));
    refused(413, "TOO_LARGE", client.post("/v1/batches", many));
  }

  @Test
  void singleJob_hasNoNameAndNoLocalNames() {
    Map<String, String> table = new LinkedHashMap<>();
    table.put("{\"type\":\"t\",\"name\":\"n\"}", "name");
    table.put("{\"type\":\"t\",\"on\":\"always\"}", "on");
    table.put("{\"type\":\"t\",\"after\":[\"b\"]}", "after[0]");
    table.put("{\"type\":\"t\",\"afterPolicy\":\"run\"}", "afterPolicy");
    table.put("{\"type\":\"t\",\"after\":[\"%1$s\",\"%1$s\"]}".formatted(NOBODY), "after");
    table.forEach((body, field) -> {
      Client.Reply reply = refused(422, "INVALID_MESSAGE", client.post("/v1/jobs", body));
      assertThat(reply.text("/errors/0/field")).as(body).isEqualTo(field);
    });
    Client.Reply unknown = refused(
        404,
        "NOT_FOUND",
        client.post("/v1/jobs", "{\"type\":\"t\",\"after\":[\"" + NOBODY + "\"]}"));
    assertThat(unknown.text("/detail")).isEqualTo("after: there is no job or batch " + NOBODY);
    assertThat(unknown.text("/errors/0/field")).isEqualTo("after");
  }

  @Test
  void moreLinksThanACallMayHave_areTooLarge() {
    String many = IntStream.range(0, 1_000)
        .mapToObj(i -> "{\"type\":\"a\",\"name\":\"a" + i + "\"}")
        .collect(Collectors.joining(","));
    String names =
        IntStream.range(0, 1_000).mapToObj(i -> "\"a" + i + "\"").collect(Collectors.joining(","));
    String waiting = IntStream.range(0, 101)
        .mapToObj(i -> "{\"type\":\"b\",\"after\":[" + names + "]}")
        .collect(Collectors.joining(","));
    Client.Reply reply = client.post("/v1/batches", jobs(many, waiting));
    assertThat(reply.status()).isEqualTo(413);
    assertThat(reply.raw().body()).contains("at most 100000 others in one call");
  }
}
