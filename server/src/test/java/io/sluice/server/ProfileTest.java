package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.Config.JobDefaults;
import io.sluice.server.rest.Listen;
import io.sluice.testkit.Eventually;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Jobs and queues under the defaults of a profile. */
class ProfileTest {
  private static final JobDefaults DEFAULTS =
      new JobDefaults(2, Duration.ofMillis(500), Duration.ofSeconds(60), 3L);

  private static Server server;
  private static Client admin;

  @BeforeAll
  static void start() {
    server = profiled("profile");
    admin = admin(server);
  }

  private static Server profiled(String schema) {
    ServerSettings plain = new ServerSettings(
        TestServer.database(schema), new Listen("127.0.0.1", 0, null), TestServer.trust());
    return Server.start(new ServerSettings(
        plain.database(), plain.listen(), plain.trust(), plain.work(), DEFAULTS, null));
  }

  private static Client admin(Server of) {
    return new Client("http://127.0.0.1:" + of.port(), TestServer.ADMIN_KEY);
  }

  private static JsonNode size(Client client) {
    return Expect.ok(200, client.get("/v1/queues/default")).path("maxSize");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void job_thatSaysNothing_getsAttemptsAndTimeout() {
    String id = admin.post("/v1/jobs", "{\"type\":\"x\",\"payload\":{}}").text("/id");
    Client.Reply job = admin.get("/v1/jobs/" + id);
    assertThat(job.body().at("/maxAttempts").asInt()).isEqualTo(2);
    assertThat(job.text("/retry/initialDelay")).isEqualTo("500ms");
    assertThat(job.text("/timeout")).isEqualTo("1m");
    assertThat(admin.delete("/v1/jobs/" + id).status()).isEqualTo(200);
  }

  @Test
  void queue_isMadeWithTheSize_unlessItSaysAnother() {
    assertThat(
            admin.post("/v1/queues", "{\"name\":\"a\"}").body().at("/maxSize").asInt())
        .isEqualTo(3);
    assertThat(admin
            .post("/v1/queues", "{\"name\":\"b\",\"maxSize\":7}")
            .body()
            .at("/maxSize")
            .asInt())
        .isEqualTo(7);
    assertThat(admin
            .put("/v1/queues/a", "{\"maxSize\":null}")
            .body()
            .at("/maxSize")
            .isNull())
        .isTrue();
    assertThat(admin.get("/v1/queues/a").body().at("/maxSize").isNull()).isTrue();
  }

  @Test
  void defaultQueue_getsTheSizeWhenItIsSeen() {
    assertThat(admin.post("/v1/jobs", "{\"type\":\"y\",\"payload\":{}}").status())
        .isEqualTo(201);
    Eventually.await(
        "a size", () -> admin.get("/v1/queues/default").body().at("/maxSize").asInt(0) == 3);
  }

  @Test
  void defaultQueue_thatWasThereBefore_isLeftAlone() {
    try (TestServer plain = TestServer.start("profile_later")) {
      assertThat(size(plain.admin()).isNull()).isTrue();
      assertThat(size(plain.tenant("old")).isNull()).isTrue();
      plain.tenant("unused");
    }
    try (Server later = profiled("profile_later")) {
      Client client = admin(later);
      assertThat(size(client).isNull()).isTrue();
      JsonNode listed = Expect.ok(200, client.forTenant("old").get("/v1/queues"));
      assertThat(listed.at("/items/0/maxSize").isNull()).isTrue();
      client.post("/v1/tenants", "{\"name\":\"new\"}");
      assertThat(size(client.forTenant("new")).asInt()).isEqualTo(3);
      assertThat(size(client.forTenant("unused")).asInt()).isEqualTo(3);
    }
    try (TestServer plain = TestServer.start("profile_later")) {
      assertThat(size(plain.admin()).isNull()).isTrue();
      assertThat(size(plain.tenant("old")).isNull()).isTrue();
      assertThat(size(plain.tenant("new")).asInt()).isEqualTo(3);
    }
  }

  @Test
  void change_doesNotWriteDownTheDefaultsOfTheProfile() {
    admin.post("/v1/queues", "{\"name\":\"c\"}");
    admin.put("/v1/queues/c", "{\"maxConcurrent\":4}");
    try (TestServer plain = TestServer.start("profile")) {
      assertThat(plain.admin().get("/v1/queues/c").body().at("/defaultRetry").isNull())
          .isTrue();
      assertThat(plain.admin().get("/v1/queues/c").body().at("/defaultTimeout").isNull())
          .isTrue();
    }
  }
}
