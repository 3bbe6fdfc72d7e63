package io.sluice.server.workflow;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Receiver.Reply;
import io.sluice.server.Rig;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Batches over REST, against a real server and a real receiver. */
class BatchesTest {
  private static Rig rig;

  @BeforeAll
  static void start() {
    rig = new Rig();
  }

  @AfterAll
  static void stop() {
    rig.close();
  }

  private static Flows tenant(String name) {
    return new Flows(rig.server.tenant(name));
  }

  @Test
  void list_hasPagesOfUpTo250() {
    Client client = tenant("pages").client();
    for (int i = 0; i < 3; i++) {
      ok(201, client.post("/v1/batches", "{\"name\":\"b\",\"jobs\":[{\"type\":\"a\"}]}"));
    }
    JsonNode whole = ok(200, client.get("/v1/batches?limit=250"));
    assertThat(whole.path("items").size()).isEqualTo(3);
    assertThat(whole.path("nextCursor").isNull()).isTrue();
    assertThat(ok(200, client.get("/v1/batches?limit=3")).path("nextCursor").isNull())
        .isTrue();
    JsonNode first = ok(200, client.get("/v1/batches?limit=2"));
    String cursor = first.path("nextCursor").asString();
    JsonNode rest = ok(200, client.get("/v1/batches?limit=2&cursor=" + cursor));
    assertThat(rest.path("items").size()).isEqualTo(1);
    assertThat(rest.path("nextCursor").isNull()).isTrue();
    invalid("limit", client.get("/v1/batches?limit=251"));
  }

  @Test
  void batch_isTakenInOrder_countsLive_andRunsItsCallbackOnce() {
    Flows flows = tenant("counts");
    JsonNode started = flows.batch("""
        {"name": "three", "jobs": [{"type": "a"}, {"name": "second", "type": "b"}, {"type": "c"}],
         "callback": {"type": "end"}}""");
    assertThat(started.path("duplicate").asBoolean()).isFalse();
    assertThat(Flows.ids(started).keySet()).containsExactly("1", "second", "3");
    assertThat(started.at("/items/0/state").asString()).isEqualTo("PENDING");
    String id = started.path("id").asString();
    assertThat(flows.state(started.path("callback").asString())).isEqualTo("SCHEDULED");

    flows.complete("a", "1");
    flows.fail("b");
    JsonNode batch = flows.readBatch(id);
    assertThat(batch.path("name").asString()).isEqualTo("three");
    assertThat(batch.path("state").asString()).isEqualTo("RUNNING");
    assertThat(List.of(
            batch.path("total").asInt(),
            batch.path("completed").asInt(),
            batch.path("failed").asInt(),
            batch.path("done").asInt()))
        .containsExactly(3, 1, 1, 2);
    assertThat(batch.path("finishedAt").isNull()).isTrue();

    flows.complete("c", "1");
    assertThat(flows.ended(id).path("state").asString()).isEqualTo("DEAD");
    JsonNode callback = flows.claim("end").path("job");
    assertThat(callback.at("/results/three/result").toString())
        .isEqualTo("{\"total\":3,\"completed\":2,\"failed\":1,\"cancelled\":0}");
    assertThat(callback.at("/results/three/id").asString()).isEqualTo(id);
    assertThat(callback.at("/results/three/state").asString()).isEqualTo("DEAD");
  }

  @Test
  void job_showsItsBatchAndWhatItWaitsFor_andNothingWhereItHasNone() {
    Flows flows = tenant("shown");
    JsonNode started = flows.batch("""
        {"name": "b", "jobs": [{"name": "x", "type": "x"},
          {"name": "y", "type": "y", "after": ["x"], "afterPolicy": "ifFailed"}]}""");
    Map<String, String> ids = Flows.ids(started);

    JsonNode y = flows.read(ids.get("y"));
    assertThat(y.path("after").toString())
        .isEqualTo("[{\"id\":\"" + ids.get("x") + "\",\"name\":\"x\"}]");
    assertThat(y.path("afterPolicy").asString()).isEqualTo("ifFailed");
    assertThat(y.path("batch")).isEqualTo(started.path("id"));
    assertThat(y.path("state").asString()).isEqualTo("SCHEDULED");
    assertThat(y.path("runAt").isNull()).isTrue();
    JsonNode plain = flows.read(flows.job("\"type\":\"z\""));
    assertThat(plain.has("after")).isTrue();
    assertThat(List.of(plain.path("after"), plain.path("afterPolicy"), plain.path("batch")))
        .allMatch(JsonNode::isNull);
    assertThat(plain.has("results")).isFalse();
  }

  @Test
  void diamondOfRequests_isFilledInFromTheAnswersBefore() {
    rig.receiver.answer("/charge", got -> new Reply(200, Map.of("x-id", "h-7"), "{\"id\": 42}"));
    rig.receiver.answer("/tax", got -> new Reply(200, Map.of(), "7.50"));
    String url = rig.receiver.url();
    JsonNode started = tenant("filled").batch("""
        {"name": "order", "jobs": [
          {"name": "charge", "url": "%1$s/charge"},
          {"name": "tax", "url": "%1$s/tax", "after": ["charge"]},
          {"name": "mail", "url": "%1$s/mail", "after": ["charge", "tax"],
           "headers": {"x-charge": "{{ results.charge.body.id }}"},
           "body": {"charge": "{{ results.charge.body.id }}", "tax": "{{ results.tax.body }}",
                    "text": "{{ results.charge.headers.x-id }}/{{ results.nobody }}",
                    "status": "{{results.tax.status}}", "other": "{{ payload }}"}}]}""".formatted(url));

    var mail = rig.receiver.await("/mail", 1);
    assertThat(mail.body())
        .isEqualTo("{\"charge\":42,\"tax\":\"7.50\",\"text\":\"h-7/\",\"status\":200,"
            + "\"other\":\"{{ payload }}\"}");
    assertThat(mail.header("x-charge")).isEqualTo("42");
    assertThat(mail.header("content-type")).isEqualTo("application/json");
    Flows flows = tenant("filled");
    assertThat(flows.ended(started.path("id").asString()).path("state").asString())
        .isEqualTo("COMPLETED");
    // What is kept is what was asked for, so that a replay is filled in anew.
    assertThat(flows.read(Flows.ids(started).get("mail")).at("/body/charge").asString())
        .isEqualTo("{{ results.charge.body.id }}");
  }

  @Test
  void httpCallback_getsTheCounts_whereItsBodyAsksForThem() {
    rig.receiver.answer("/part", got -> new Reply(200, Map.of(), ""));
    tenant("called").batch("""
        {"name": "order 42", "jobs": [{"url": "%1$s/part"}],
         "callback": {"url": "%1$s/counts", "body": "{{ results.order 42 }}"}}""".formatted(rig.receiver.url()));
    var counts = rig.receiver.await("/counts", 1);
    assertThat(counts.body())
        .isEqualTo("{\"total\":1,\"completed\":1,\"failed\":0,\"cancelled\":0}");
    tenant("called").batch("""
        {"name": "order 42", "jobs": [], "callback": {"url": "%s/bare"}}""".formatted(rig.receiver.url()));
    assertThat(rig.receiver.await("/bare", 1).body()).isEmpty();
  }

  @Test
  void resultThatNoHeaderMayHave_endsTheJob_withoutARequest() {
    rig.receiver.answer("/evil", got -> new Reply(200, Map.of(), "a\r\nx-evil: 1"));
    Flows flows = tenant("evil");
    JsonNode started = flows.batch("""
        {"name": "evil", "jobs": [{"name": "a", "url": "%1$s/evil"},
          {"name": "b", "url": "%1$s/victim", "after": ["a"], "headers": {"x-a": "{{ results.a.body }}"}}]}""".formatted(rig.receiver.url()));

    assertThat(flows.ended(started.path("id").asString()).path("failed").asInt())
        .isEqualTo(1);
    JsonNode job = flows.read(Flows.ids(started).get("b"));
    assertThat(job.path("attempt").asInt()).isEqualTo(1);
    assertThat(job.at("/errors/0/code").asString()).isEqualTo("RESULTS_UNFIT");
    assertThat(job.at("/errors/0/message").asString()).contains("'x-a'").doesNotContain("x-evil");
    assertThat(rig.receiver.got("/victim")).isEmpty();
  }

  @Test
  void knownKey_isAnsweredWithTheBatchThatHasIt() {
    Flows flows = tenant("keys");
    String body = "{\"name\": \"b\", \"idempotencyKey\": \"k\", \"jobs\": [{\"type\": \"a\"}]}";
    JsonNode first = flows.batch(body);
    String id = first.path("id").asString();

    JsonNode again = ok(200, flows.client().post("/v1/batches", body));
    assertThat(again.path("duplicate").asBoolean()).isTrue();
    assertThat(again.path("id").asString()).isEqualTo(id);
    assertThat(again.path("items")).isEqualTo(first.path("items"));
    Client.Reply byHeader = flows
        .client()
        .send("POST", "/v1/batches", "{\"name\":\"c\",\"jobs\":[]}", "Idempotency-Key", "k");
    assertThat(ok(200, byHeader).path("id").asString()).isEqualTo(id);
    assertThat(flows.readBatch(id).path("total").asInt()).isEqualTo(1);
  }

  @Test
  void jobsOfABatch_areListed_pageByPage() {
    Flows flows = tenant("members");
    JsonNode started = flows.batch("""
        {"name": "b", "jobs": [{"type": "a"}, {"type": "b", "after": ["1"]}], "callback": {"type": "end"}}""");
    flows.job("\"type\": \"a\"");
    String list = "/v1/jobs?batch=" + started.path("id").asString();
    JsonNode page = ok(200, flows.client().get(list + "&limit=1"));
    assertThat(page.at("/items/0/id")).isEqualTo(started.at("/items/1/id"));
    JsonNode next = ok(
        200,
        flows.client().get(list + "&limit=1&cursor=" + page.path("nextCursor").asString()));
    assertThat(next.at("/items/0/id")).isEqualTo(started.at("/items/0/id"));
    assertThat(next.path("nextCursor").isNull()).isTrue();
    assertThat(
            ok(200, flows.client().get(list + "&state=SCHEDULED")).path("items").size())
        .isEqualTo(1);
    assertThat(ok(200, tenant("strangers").client().get(list)).path("items").isEmpty())
        .isTrue();
    Client.Reply wrong =
        refused(422, "INVALID_MESSAGE", flows.client().get("/v1/jobs?batch=night"));
    assertThat(wrong.text("/errors/0/field")).isEqualTo("batch");
  }

  @Test
  void keyOfACallThatAdds_isRefused_andNothingIsTaken() {
    Flows flows = tenant("added-keys");
    String id = flows
        .batch("{\"name\": \"b\", \"open\": true, \"jobs\": []}")
        .path("id")
        .asString();
    Client.Reply refused = refused(
        422,
        "INVALID_MESSAGE",
        flows
            .client()
            .send(
                "POST",
                "/v1/batches/" + id + "/jobs",
                "{\"jobs\":[{\"type\":\"a\"}]}",
                "Idempotency-Key",
                "k"));
    assertThat(refused.text("/errors/0/field")).isEqualTo("Idempotency-Key");
    assertThat(refused.text("/detail")).contains("this one as its parent");
    assertThat(flows.readBatch(id).path("total").asInt()).isZero();
  }

  @Test
  void openBatch_takesMore_untilItIsClosed() {
    Flows flows = tenant("open");
    String id = flows
        .batch("{\"name\": \"b\", \"open\": true, \"jobs\": []}")
        .path("id")
        .asString();
    String jobs = "/v1/batches/" + id + "/jobs";
    JsonNode added =
        ok(201, flows.client().post(jobs, "{\"jobs\": [{\"type\": \"a\"}, {\"type\": \"b\"}]}"));
    assertThat(added.path("items").size()).isEqualTo(2);
    flows.complete("a", "1");
    flows.complete("b", "1");
    JsonNode open = flows.readBatch(id);
    assertThat(open.path("open").asBoolean()).isTrue();
    assertThat(open.path("done").asInt()).isEqualTo(2);
    assertThat(open.path("finishedAt").isNull()).isTrue();

    JsonNode closed = ok(200, flows.client().post("/v1/batches/" + id + "/close", null));
    assertThat(closed.path("open").asBoolean()).isFalse();
    assertThat(flows.ended(id).path("state").asString()).isEqualTo("COMPLETED");
    ok(200, flows.client().post("/v1/batches/" + id + "/close", null));
    refused(409, "CONFLICT", flows.client().post(jobs, "{\"jobs\": [{\"type\": \"a\"}]}"));
  }

  @Test
  void worker_addsToTheBatchOfItsJob_underItsLeaseAlone() {
    TestTenant tenant = TestTenant.make(rig.admin, "lease");
    Flows flows = new Flows(tenant.as(Role.OPERATOR));
    Client worker = tenant.as(Role.WORKER);
    String id = flows
        .batch("{\"name\": \"b\", \"jobs\": [{\"type\": \"a\"}]}")
        .path("id")
        .asString();
    String other = flows
        .batch("{\"name\": \"c\", \"jobs\": [{\"type\": \"c\"}]}")
        .path("id")
        .asString();
    JsonNode held = flows.claim("a");
    String lease = held.path("lease").asString();
    String more = "{\"lease\": \"" + lease + "\", \"jobs\": [{\"type\": \"b\"}]}";

    refused(
        403,
        "FORBIDDEN",
        worker.post("/v1/batches/" + id + "/jobs", "{\"jobs\": [{\"type\": \"b\"}]}"));
    refused(403, "FORBIDDEN", tenant.as(Role.PRODUCER).post("/v1/batches/" + id + "/jobs", more));
    refused(409, "LEASE_LOST", worker.post("/v1/batches/" + other + "/jobs", more));
    refused(
        404,
        "NOT_FOUND",
        worker.post("/v1/batches/" + id + "/jobs", more.replace(lease, "made-up")));
    ok(201, worker.post("/v1/batches/" + id + "/jobs", more));
    flows.finish(held, "1");
    assertThat(flows.readBatch(id).path("total").asInt()).isEqualTo(2);
    assertThat(flows.readBatch(id).path("finishedAt").isNull()).isTrue();
    refused(409, "LEASE_LOST", worker.post("/v1/batches/" + id + "/jobs", more));
    flows.complete("b", "1");
    assertThat(flows.ended(id).path("state").asString()).isEqualTo("COMPLETED");
  }

  @Test
  void cancel_endsWhatIsNotOver_andSaysHowMany() {
    Flows flows = tenant("cancel");
    JsonNode started = flows.batch("""
        {"name": "b", "jobs": [{"name": "a", "type": "a"}, {"name": "b", "type": "b"},
          {"name": "c", "type": "c", "after": ["b"], "afterPolicy": "run"}],
         "callback": {"type": "end", "on": "success"}}""");
    String id = started.path("id").asString();
    flows.complete("a", "1");

    JsonNode answer = ok(200, flows.client().delete("/v1/batches/" + id));
    assertThat(answer.path("cancelled").asInt()).isEqualTo(2);
    JsonNode batch = flows.ended(id);
    assertThat(batch.path("state").asString()).isEqualTo("CANCELLED");
    assertThat(batch.path("cancelled").asInt()).isEqualTo(2);
    JsonNode callback = flows.read(started.path("callback").asString());
    assertThat(callback.path("state").asString()).isEqualTo("CANCELLED");
    assertThat(callback.path("reason").asString())
        .isEqualTo("batch " + id + ", which it waits for, failed");
    refused(409, "CONFLICT", flows.client().delete("/v1/batches/" + id));
    assertThat(rig.admin.get("/v1/audit").raw().body()).contains("batch.cancel", id);
  }

  @Test
  void batchInABatch_keepsItOpen() {
    Flows flows = tenant("nested");
    String outer = flows
        .batch("{\"name\": \"outer\", \"open\": true, \"jobs\": []}")
        .path("id")
        .asString();
    JsonNode inner =
        flows.batch("{\"name\": \"inner\", \"parent\": \"%s\", \"jobs\": [{\"type\": \"a\"}]}"
            .formatted(outer));
    ok(200, flows.client().post("/v1/batches/" + outer + "/close", null));
    assertThat(flows.readBatch(outer).path("finishedAt").isNull()).isTrue();
    assertThat(flows.readBatch(inner.path("id").asString()).path("parent").asString())
        .isEqualTo(outer);

    flows.complete("a", "1");
    assertThat(flows.ended(outer).path("completed").asInt()).isEqualTo(1);
  }

  @Test
  void list_isNewestFirst_pageByPage() {
    Flows flows = tenant("listed");
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      made.addFirst(
          flows.batch("{\"name\": \"b" + i + "\", \"jobs\": []}").path("id").asString());
    }
    List<String> found = new ArrayList<>();
    String cursor = "";
    do {
      JsonNode page = ok(200, flows.client().get("/v1/batches?limit=2" + cursor));
      page.path("items")
          .valueStream()
          .forEach(batch -> found.add(batch.path("id").asString()));
      cursor = page.path("nextCursor").isNull()
          ? ""
          : "&cursor=" + page.path("nextCursor").asString();
    } while (!cursor.isEmpty());
    assertThat(found).isEqualTo(made);
  }

  @Test
  void jobsAfterTheCallbackOfTheirBatch_areRefused_asNeitherWouldEnd() {
    Client client = rig.server.tenant("circle");
    Client.Reply started = client.post(
        "/v1/batches",
        "{\"name\":\"b\",\"open\":true,\"jobs\":[],\"callback\":{\"type\":\"over\"}}");
    String batch = started.text("/id");
    String callback = started.text("/callback");
    Client.Reply reply = client.post(
        "/v1/batches/" + batch + "/jobs",
        "{\"jobs\":[{\"type\":\"a\",\"after\":[\"" + callback + "\"]}]}");
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.text("/errors/0/field")).isEqualTo("jobs[0].after");
    assertThat(reply.text("/errors/0/message"))
        .isEqualTo("must not name job " + callback + ", which waits for batch " + batch
            + ", which this job is in: neither would ever end");
  }
}
