package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.testkit.Eventually;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One process for the API and two that work, on one database, and one of those killed amid its work. */
@Tag("long")
class FleetTest {
  private static final int JOBS = 1000;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir
  Path folder;

  private ServerProcess start(EmbeddedPostgres postgres, String role) {
    return ServerProcess.serve(
        folder,
        "--role",
        role,
        "--database-url",
        postgres.jdbcUrl(),
        "--database-user",
        postgres.user(),
        "--database-password",
        postgres.password(),
        "--allow-target",
        "127.0.0.0/8",
        "--slots",
        "20",
        "--lease",
        "5s");
  }

  @Test
  void everyJobIsDelivered_thoughAWorkerIsKilled() {
    try (EmbeddedPostgres postgres = EmbeddedPostgres.start(folder.resolve("postgres"));
        SlowReceiver receiver = new SlowReceiver(Duration.ofMillis(50));
        ServerProcess api = start(postgres, "api");
        ServerProcess doomed = start(postgres, "worker");
        ServerProcess other = start(postgres, "worker")) {
      Client client = new Client(api.address(), api.key());
      String jobs = IntStream.range(0, JOBS)
          .mapToObj(i -> "{\"url\":\"" + receiver.url() + "/" + i + "\"}")
          .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
      assertThat(client.post("/v1/jobs/batch", jobs).status()).isEqualTo(201);
      Eventually.await("a third", PATIENCE, () -> receiver.paths().size() > JOBS / 3);
      doomed.kill();
      Eventually.await("all completed", PATIENCE, () -> completed(client) == JOBS);
      assertThat(receiver.paths()).hasSize(JOBS);
      System.out.println("deliveries: " + receiver.requests() + " of " + JOBS + " jobs");
      for (ServerProcess process : List.of(other, api)) {
        assertThat(process.stop()).isZero();
      }
    }
  }

  private static long completed(Client client) {
    return client.get("/v1/stats").body().at("/byState/COMPLETED").asLong();
  }
}
