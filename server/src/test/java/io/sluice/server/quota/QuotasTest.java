package io.sluice.server.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.Expect;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import io.sluice.testkit.Eventually;
import io.sluice.testkit.Together;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** No tenant has more than its quotas allow. */
@Tag("slow")
class QuotasTest {
  private static final int CALLERS = 12;
  private static final AtomicInteger COUNT = new AtomicInteger();

  private static TestServer server;
  private static Client admin;

  private final TestTenant tenant = TestTenant.make(admin, "quota" + COUNT.incrementAndGet());

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
    admin = server.admin();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private Client operator() {
    return tenant.as(Role.OPERATOR);
  }

  private void set(String quotas) {
    Expect.ok(200, admin.put("/v1/tenants/" + tenant.name(), "{\"quotas\":" + quotas + "}"));
  }

  private static void assertExceeded(String quota, Client.Reply reply) {
    Client.Reply refused = Expect.refused(429, "QUOTA_EXCEEDED", reply);
    assertThat(refused.text("/detail")).contains("the quota '" + quota + "'");
    assertThat(refused.raw().headers().firstValue("Retry-After")).isEmpty();
  }

  /** How many of callers at the same moment get one more of a thing. */
  private static long made(IntFunction<Client.Reply> making) {
    List<Client.Reply> replies = Together.run(CALLERS, i -> () -> making.apply(i));
    assertThat(replies).allMatch(reply -> reply.status() == 429 || reply.status() < 300);
    return replies.stream().filter(reply -> reply.status() < 300).count();
  }

  @Test
  void newTenant_hasTheDefaults_andAChangeLeavesTheOthers() {
    Client.Reply read = admin.get("/v1/tenants/" + tenant.name());
    assertThat(read.body().path("quotas").toString())
        .isEqualTo("{\"queues\":1000,\"urlGroups\":1000,\"keys\":1000,\"schedules\":1000,"
            + "\"triggers\":1000,\"limits\":10000,\"lanes\":100000,\"bytes\":null}");
    set("{\"queues\":5,\"lanes\":null}");
    read = operator().get("/v1/tenants/" + tenant.name());
    assertThat(read.body().path("quotas").toString())
        .isEqualTo("{\"queues\":5,\"urlGroups\":1000,\"keys\":1000,\"schedules\":1000,"
            + "\"triggers\":1000,\"limits\":10000,\"lanes\":null,\"bytes\":null}");
    Expect.invalid(
        "quotas.keys", admin.put("/v1/tenants/" + tenant.name(), "{\"quotas\":{\"keys\":-1}}"));
    Client.Reply made =
        admin.post("/v1/tenants", "{\"name\":\"told\",\"quotas\":{\"bytes\":7,\"keys\":null}}");
    assertThat(made.body().at("/quotas/bytes").asInt()).isEqualTo(7);
    assertThat(made.body().at("/quotas/keys").isNull()).isTrue();
    assertThat(made.body().at("/quotas/triggers").asInt()).isEqualTo(1000);
  }

  @Test
  void queues_areBounded_exactly() {
    set("{\"queues\":5}");
    Expect.ok(200, operator().get("/v1/queues/default"));
    assertThat(made(i -> operator().post("/v1/queues", "{\"name\":\"q" + i + "\"}")))
        .isEqualTo(4);
    assertExceeded("queues", operator().post("/v1/queues", "{\"name\":\"more\"}"));
    Expect.ok(200, operator().put("/v1/queues/default", "{\"priority\":5}"));
    set("{\"queues\":6}");
    Expect.ok(201, operator().post("/v1/queues", "{\"name\":\"more\"}"));
  }

  @Test
  void urlGroups_areBounded_exactly() {
    set("{\"urlGroups\":3}");
    assertThat(made(i -> operator()
            .post("/v1/url-groups", "{\"name\":\"g" + i + "\",\"baseUrl\":\"https://a.example\"}")))
        .isEqualTo(3);
    assertExceeded(
        "urlGroups",
        operator().post("/v1/url-groups", "{\"name\":\"more\",\"baseUrl\":\"https://a.example\"}"));
  }

  @Test
  void keys_areBounded_exactly_andRevokedOnesDoNotCount() {
    int before = Role.values().length;
    set("{\"keys\":" + (before + 2) + "}");
    assertThat(made(i -> TestTenant.newKey(admin, tenant.name(), Role.VIEWER))).isEqualTo(2);
    assertExceeded("keys", TestTenant.newKey(admin, tenant.name(), Role.VIEWER));
    String id =
        operator().get("/v1/tenants/" + tenant.name() + "/keys?limit=1").text("/items/0/id");
    assertThat(admin.delete("/v1/tenants/" + tenant.name() + "/keys/" + id).status())
        .isEqualTo(204);
    assertThat(TestTenant.newKey(admin, tenant.name(), Role.VIEWER).status()).isEqualTo(201);
  }

  @Test
  void limits_areBounded_exactly_andKnownOnesMayChange() {
    set("{\"limits\":3}");
    String body = "{\"concurrency\":2}";
    assertThat(made(i -> operator().put("/v1/limits/key:k" + i, body))).isEqualTo(3);
    assertExceeded("limits", operator().put("/v1/limits/type:more", body));
    String known = operator().get("/v1/limits?limit=1").text("/items/0/key");
    Expect.ok(200, operator().put("/v1/limits/" + known, "{\"concurrency\":3}"));
    Expect.ok(200, operator().put("/v1/limits/queue:default", body));
  }

  private static String jobs(int lanes) {
    return IntStream.range(0, lanes)
        .mapToObj(i -> "{\"type\":\"nobody\",\"limitKey\":\"c" + i + "\"}")
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
  }

  private void awaitRefusal(String quota) {
    Client producer = tenant.as(Role.PRODUCER);
    Eventually.await(
        "jobs are refused",
        () -> producer.post("/v1/jobs", "{\"type\":\"nobody\"}").status() == 429);
    assertExceeded(quota, producer.post("/v1/jobs", "{\"type\":\"nobody\"}"));
    assertExceeded(quota, producer.post("/v1/jobs/batch", jobs(1)));
    assertExceeded(
        quota, producer.post("/v1/batches", "{\"name\":\"b\",\"jobs\":[{\"type\":\"nobody\"}]}"));
  }

  @Test
  void lanes_areBounded_fromTheNextLookOn() {
    set("{\"lanes\":5}");
    TestTenant other = TestTenant.make(admin, tenant.name() + "other");
    Expect.ok(201, tenant.as(Role.PRODUCER).post("/v1/jobs/batch", jobs(4)));
    Expect.ok(201, other.as(Role.PRODUCER).post("/v1/jobs/batch", jobs(20)));
    Expect.ok(201, tenant.as(Role.PRODUCER).post("/v1/jobs/batch", jobs(6)));
    awaitRefusal("lanes");
    Expect.ok(201, other.as(Role.PRODUCER).post("/v1/jobs/batch", jobs(20)));

    Expect.ok(200, operator().post("/v1/queues/default/purge", null));
    Eventually.await(
        "jobs are taken again",
        () -> tenant.as(Role.PRODUCER).post("/v1/jobs", "{\"type\":\"nobody\"}").status() == 201);
  }

  @Test
  void bytes_areBounded_fromTheNextLookOn() {
    set("{\"bytes\":50000}");
    byte[] noise = new byte[100_000];
    new SplittableRandom(5).nextBytes(noise);
    String payload = HexFormat.of().formatHex(noise);
    Expect.ok(
        201,
        tenant
            .as(Role.PRODUCER)
            .post("/v1/jobs", "{\"type\":\"nobody\",\"payload\":{\"p\":\"" + payload + "\"}}"));
    awaitRefusal("bytes");
  }
}
