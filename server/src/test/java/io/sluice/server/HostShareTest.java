package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Lane;
import io.sluice.testkit.Eventually;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Requests to plain URLs: a host that does not answer leaves room to the others. */
class HostShareTest {
  private static final CountDownLatch answered = new CountDownLatch(1);

  private static Receiver receiver;
  private static TestServer server;
  private static Client admin;

  @BeforeAll
  static void start() {
    receiver = new Receiver().answer("/hangs", got -> {
      try {
        answered.await(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return Receiver.Reply.of(200);
    });
    server = TestServer.startWithSlots(8, 0.25, "127.0.0.0/8", "::1/128");
    admin = server.admin();
  }

  @AfterAll
  static void stop() {
    answered.countDown();
    server.close();
    receiver.close();
  }

  private static String enqueue(String url, String more) {
    return Expect.ok(201, admin.post("/v1/jobs", "{\"url\": \"" + url + "\"" + more + "}"))
        .path("id")
        .asString();
  }

  private static void awaitState(String state, String job) {
    Eventually.await(
        job + " " + state, () -> admin.get("/v1/jobs/" + job).text("/state").equals(state));
  }

  @Test
  void hostThatHangs_holdsItsShareAlone() {
    assertThat(Lane.bucketOf("127.0.0.1")).isNotEqualTo(Lane.bucketOf("localhost"));
    for (int i = 0; i < 12; i++) {
      enqueue(receiver.url() + "/hangs", "");
    }
    receiver.await("/hangs", 2);
    for (int i = 0; i < 5; i++) {
      awaitState("COMPLETED", enqueue(other() + "/answers", ""));
    }
    assertThat(receiver.got("/hangs")).hasSize(2);
    // A callback goes by the host that it is for, and not by that of its job.
    awaitState(
        "COMPLETED",
        enqueue(other() + "/calls", ", \"callbackUrl\": \"" + receiver.url() + "/back\""));
    Eventually.await(
        "the callback", () -> server.query("""
            select l.url_group from {schema}.lane l join {schema}.ready r on r.lane = l.id
            where l.url_group <> '' group by 1""").equals(List.of(Lane.bucketOf("127.0.0.1"))));
    assertThat(receiver.got("/back")).isEmpty();
    answered.countDown();
    receiver.await("/hangs", 12);
    receiver.await("/back", 1);
  }

  private static String other() {
    return receiver.url().replace("127.0.0.1", "localhost");
  }

  @Test
  void bucket_isNoGroupToAnybody() {
    String bucket = Lane.bucketOf("localhost");
    String job = enqueue(other() + "/x", "");
    assertThat(admin.get("/v1/jobs/" + job).body().path("urlGroup").isNull()).isTrue();
    awaitState("COMPLETED", job);
    Expect.invalid("urlGroup", admin.get("/v1/jobs?urlGroup=" + bucket));
    Expect.invalid(
        "urlGroup", admin.post("/v1/jobs", "{\"urlGroup\": \"" + bucket + "\", \"path\": \"/x\"}"));
    Expect.invalid(
        "urlGroup",
        admin.post("/v1/queues", "{\"name\": \"q\", \"urlGroup\": \"" + bucket + "\"}"));
    Expect.invalid("name", admin.post("/v1/url-groups", "{\"name\": \"" + bucket + "\"}"));
    assertThat(admin.get("/metrics").raw().body()).doesNotContain(bucket);
  }

  @Test
  void hostThatAsksToBeLeftAlone_holdsNobodyElse() {
    receiver.answer("/busy", got -> Receiver.Reply.of(429).with("Retry-After", "3600"));
    String busy = enqueue(other() + "/busy", "");
    awaitState("RETRYING", busy);
    awaitState("COMPLETED", enqueue(other() + "/y", ""));
    assertThat(server.query("select name from {schema}.breaker where name like '//%'"))
        .isEmpty();
  }

  /** A job from before there were buckets, or from SQL, has none. */
  @Test
  void jobWithoutABucket_runs() {
    String id =
        server.enqueueBySql("http", "{\"url\": \"" + other() + "/old\", \"method\": \"GET\"}");
    awaitState("COMPLETED", id);
    assertThat(receiver.got("/old")).hasSize(1);
  }
}
