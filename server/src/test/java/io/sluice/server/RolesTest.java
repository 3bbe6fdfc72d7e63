package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.config.Config.Work;
import io.sluice.server.config.Role;
import io.sluice.server.rest.Listen;
import io.sluice.testkit.Eventually;
import org.junit.jupiter.api.Test;

/** Processes that share a database, each with a part of the work. */
class RolesTest {
  private static Server start(Role role) {
    ServerSettings all = new ServerSettings(
        TestServer.database("roles"),
        new Listen("127.0.0.1", 0, null),
        TestServer.trust("127.0.0.0/8"));
    Work work = new Work(
        role, all.work().store(), 4, 0.25, all.work().lease(), all.work().health());
    return Server.start(
        new ServerSettings(all.database(), all.listen(), all.trust(), work, all.jobs(), null));
  }

  private static Client client(Server server) {
    return new Client("http://127.0.0.1:" + server.port(), TestServer.ADMIN_KEY);
  }

  @Test
  void api_takesJobs_andAWorkerDeliversThem() {
    try (Receiver receiver = new Receiver();
        Server api = start(Role.API)) {
      Client client = client(api);
      String job = "{\"url\":\"" + receiver.url() + "/x\",\"requireHandler\":true}";
      assertThat(client.post("/v1/jobs", job).text("/code")).isEqualTo("HANDLER_NOT_FOUND");
      try (Server worker = start(Role.WORKER)) {
        String id = client.post("/v1/jobs", job).text("/id");
        receiver.await("/x", 1);
        Eventually.await(
            "completed", () -> client.get("/v1/jobs/" + id).text("/state").equals("COMPLETED"));
        assertThat(client(worker).get("/health/ready").status()).isEqualTo(200);
        assertThat(client(worker).get("/metrics").raw().body())
            .contains("sluice_deliveries_total{outcome=\"delivered\"} 1.0");
        assertThat(client(worker).get("/v1/jobs").status()).isEqualTo(404);
        assertThat(client(worker).get("/openapi.json").status()).isEqualTo(404);
      }
    }
  }
}
