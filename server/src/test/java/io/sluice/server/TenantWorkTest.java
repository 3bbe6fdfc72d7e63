package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.sluice.Enqueued;
import io.sluice.ErrorCode;
import io.sluice.JobState;
import io.sluice.Jobs;
import io.sluice.Lane;
import io.sluice.Marks;
import io.sluice.RetryPolicy;
import io.sluice.Sluice;
import io.sluice.SluiceException;
import io.sluice.postgres.PostgresStore;
import io.sluice.store.TenantCap;
import io.sluice.store.TenantSize;
import io.sluice.testkit.Eventually;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of a tenant's jobs: on a server, and on another instance that runs them. */
@Tag("slow")
class TenantWorkTest {
  private static final Set<UUID> ran = ConcurrentHashMap.newKeySet();

  private static TestServer server;
  private static Client admin;
  private static ServerDatabase tables;
  private static Entrance entrance;
  private static Sluice worker;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    admin = server.admin();
    ServerSettings.DatabaseSettings database = server.settings().database();
    tables = new ServerDatabase(database);
    PostgresStore store = PostgresStore.builder()
        .url(database.url())
        .user(database.user())
        .password(database.password())
        .schema(database.schema())
        .build();
    store.open();
    entrance = new Entrance(
        tables,
        server.settings().trust().access(),
        address -> new byte[0],
        store.limits(),
        store.queues());
    worker = Sluice.builder(store)
        .handler("work", Object.class, (job, context) -> ran.add(job.id()))
        .handler("fail", Object.class, (job, context) -> {
          throw new IllegalStateException("as asked");
        })
        .hold(entrance::holds)
        .listener(entrance.counting())
        .build()
        .start();
    entrance.start(worker);
  }

  @AfterAll
  static void stop() {
    worker.close();
    entrance.close();
    tables.close();
    server.close();
  }

  private static UUID enqueue(String tenant, String type) {
    Enqueued job = worker.enqueue(Jobs.of(type, "x").tenant(tenant).retry(RetryPolicy.none()));
    return job.id();
  }

  private static void make(String tenant) {
    assertThat(admin.post("/v1/tenants", "{\"name\": \"" + tenant + "\"}").status())
        .isEqualTo(201);
  }

  private static JobState state(UUID job) {
    return worker.find(job).orElseThrow().state();
  }

  private static void awaitHeld(String tenant) {
    Eventually.await("the other instance knows", () -> entrance.holds(Lane.of(tenant, "q", "t")));
  }

  @Test
  void disabledTenantsJobs_waitUntilItIsEnabled() {
    make("lazy");
    make("busy");
    admin.put("/v1/tenants/lazy", "{\"enabled\": false}");
    awaitHeld("lazy");
    UUID held = enqueue("lazy", "work");
    UUID free = enqueue("busy", "work");
    Eventually.await("the other's job ran", () -> ran.contains(free));
    assertThat(state(held)).isEqualTo(JobState.PENDING);
    admin.put("/v1/tenants/lazy", "{\"enabled\": true}");
    Eventually.await("it runs", () -> ran.contains(held));
  }

  @Test
  void delete_isRefusedWhileJobsWait_andForceCancelsThem() {
    make("ending");
    UUID waiting = enqueue("ending", "nobody.does");
    Client.Reply refused = admin.delete("/v1/tenants/ending");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.text("/detail")).contains("force");
    assertThat(admin.delete("/v1/tenants/ending?force=maybe").status()).isEqualTo(422);
    assertThat(admin.delete("/v1/tenants/ending?force=true").status()).isEqualTo(204);
    assertThat(state(waiting)).isEqualTo(JobState.CANCELLED);
    assertThat(worker.queues().list()).noneMatch(queue -> queue.tenant().equals("ending"));
    Client.Reply again = admin.post("/v1/tenants", "{\"name\": \"ending\"}");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.text("/detail")).contains("still kept");
  }

  @Test
  void jobThatCameAfterTheEnd_isCancelledToo() {
    make("late");
    admin.delete("/v1/tenants/late");
    awaitHeld("late");
    UUID late = enqueue("late", "work");
    Eventually.await("it is cancelled", () -> state(late) == JobState.CANCELLED);
    assertThat(ran).doesNotContain(late);
  }

  @Test
  void usage_countsJobsAndRequests_byTheDay() {
    make("counted");
    enqueue("counted", "work");
    enqueue("counted", "work");
    enqueue("counted", "fail");
    admin.forTenant("counted").get("/v1/tenants/counted");
    Eventually.await("all are counted", () -> {
      Client.Reply usage = admin.get("/v1/tenants/counted/usage");
      return usage.body().at("/items/0/processedJobs").asInt() == 3
          && usage.body().at("/items/0/failedJobs").asInt() == 1;
    });
    Client.Reply usage = admin.get("/v1/tenants/counted/usage");
    assertThat(usage.body().at("/items").size()).isEqualTo(1);
    assertThat(usage.body().at("/items/0").propertyNames())
        .containsExactly("day", "processedJobs", "failedJobs", "totalRequests");
    assertThat(usage.body().at("/items/0/totalRequests").asInt()).isEqualTo(1);
    String day = usage.text("/items/0/day");
    assertThat(admin
            .get("/v1/tenants/counted/usage?from=" + day + "&to=" + day + "T23:00:00Z")
            .text("/items/0/day"))
        .isEqualTo(day);
    assertThat(admin
            .get("/v1/tenants/counted/usage?to=2020-01-01")
            .body()
            .at("/items")
            .size())
        .isZero();
    assertThat(admin.get("/v1/tenants/counted/usage?from=x").status()).isEqualTo(422);
    assertThat(
            admin.get("/v1/tenants/counted/usage?from=2020-01-02&to=2020-01-01").status())
        .isEqualTo(422);
    assertThat(admin.get("/v1/tenants/counted/usage?from=1999-01-02").status()).isEqualTo(422);
  }

  @Test
  void tenantOverItsSize_isFull_onEveryInstance_untilJobsEnd() {
    make("small");
    admin.put("/v1/tenants/small", "{\"maxSize\": 3}");
    UUID first = enqueue("small", "nobody.does");
    enqueue("small", "nobody.does");
    Client client = admin.forTenant("small");
    Client.Reply two =
        client.post("/v1/jobs/batch", "{\"jobs\": [{\"type\": \"t\"}, {\"type\": \"t\"}]}");
    assertThat(Expect.refused(429, "QUEUE_FULL", two).text("/detail"))
        .isEqualTo("tenant 'small' holds, in all its queues, 2 unfinished jobs of at most 3"
            + " and has no room for 2 more");
    Expect.ok(201, client.post("/v1/jobs", "{\"type\": \"t\"}"));
    assertThatThrownBy(() -> enqueue("small", "nobody.does"))
        .isInstanceOfSatisfying(
            SluiceException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.QUEUE_FULL));
    Client.Reply full = client.post("/v1/jobs", "{\"type\": \"t\"}");
    assertThat(Expect.refused(429, "QUEUE_FULL", full).text("/detail")).contains("at most 3");
    assertThat(Integer.parseInt(full.header("retry-after"))).isBetween(1, 300);
    worker.cancel(first);
    Expect.ok(201, client.post("/v1/jobs", "{\"type\": \"t\"}"));
    admin.put("/v1/tenants/small", "{\"maxSize\": null}");
    Expect.ok(201, client.post("/v1/jobs", "{\"type\": \"t\"}"));
  }

  @Test
  void sizeThatTheStoreForgot_isHandedOnAgain() {
    make("forgotten");
    admin.put("/v1/tenants/forgotten", "{\"maxSize\": 1, \"levels\": {\"warning\": 0.4}}");
    worker.queues().capTenant("forgotten", TenantCap.of(7));
    worker.queues().capTenant("stranger", TenantCap.of(9));
    entrance.settle();
    assertThat(worker.queues().tenantSizes())
        .extracting(TenantSize::tenant, TenantSize::cap)
        .contains(
            tuple("forgotten", new TenantCap(1, new Marks(0.4, 0.9))),
            tuple("stranger", TenantCap.of(9)));
    admin.delete("/v1/tenants/forgotten");
    assertThat(worker.queues().tenantSizes())
        .extracting(TenantSize::tenant)
        .doesNotContain("forgotten");
    worker.queues().capTenant("stranger", null);
  }
}
