package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.embedded.EmbeddedPostgres;
import io.sluice.testkit.Eventually;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server that is killed in the middle of a change of its master key, again and again. */
@Tag("long")
class RotationKillTest {
  private static final int JOBS = 6_000;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  @TempDir
  Path folder;

  private final AtomicInteger good = new AtomicInteger();
  private final AtomicInteger bad = new AtomicInteger();

  private ServerProcess serve() {
    return ServerProcess.serve(folder, "--allow-target", "127.0.0.0/8", "--slots", "50");
  }

  private String masterKeys() {
    try {
      return Files.readString(folder.resolve("sluice-data").resolve("master.key"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void rotation_survivesEveryKill_andEverythingOpens() {
    Receiver receiver = new Receiver().answer("/in", got -> {
      boolean right = got.header("Authorization").equals("Bearer tok")
          && got.header("X-Api-Key").equals("own");
      (right ? good : bad).incrementAndGet();
      return Receiver.Reply.of(right ? 200 : 401);
    });
    String old;
    String admin;
    try (receiver) {
      try (ServerProcess server = serve()) {
        admin = server.key();
        fill(new Client(server.address(), admin), receiver);
        old = masterKeys().strip();
        Client client = new Client(server.address(), admin);
        assertThat(client.post("/v1/master-key/rotate", null).status()).isEqualTo(202);
        server.kill();
      }
      assertThat(masterKeys()).as("both keys are kept until the end").contains(old);
      killWhen(
          admin,
          status -> status.text("/state").equals("idle")
              || status.body().at("/rows/resealed").asInt() > 300);
      assertThat(masterKeys()).as("still").contains(old);
      killWhen(
          admin,
          status -> status.text("/state").equals("idle")
              || status.body().at("/rows/resealed").asInt() > JOBS / 2);
      try (ServerProcess server = serve()) {
        Client client = new Client(server.address(), admin);
        Eventually.await(
            "ends",
            PATIENCE,
            () -> client.get("/v1/master-key").text("/state").equals("idle")
                && !masterKeys().contains(old));
        Client.Reply status = client.get("/v1/master-key");
        deliverAll();
        Eventually.await("all", PATIENCE, () -> good.get() + bad.get() >= JOBS);
        System.out.printf(
            "killed 3 times amid a rotation: %d values resealed, %d unreadable; of %d jobs %d"
                + " delivered with their secrets, %d without%n",
            status.body().at("/rows/resealed").asInt(),
            status.body().at("/rows/unreadable").asInt(),
            JOBS,
            good.get(),
            bad.get());
        assertThat(bad.get()).isZero();
        assertThat(status.body().at("/rows/unreadable").asInt()).isZero();
      }
    }
  }

  private static void fill(Client client, Receiver receiver) {
    client.post(
        "/v1/url-groups",
        "{\"name\":\"g\",\"baseUrl\":\"%s\",\"auth\":{\"type\":\"bearer\",\"token\":\"tok\"}}"
            .formatted(receiver.url()));
    for (int i = 0; i < JOBS; i += 1_000) {
      String jobs = IntStream.range(0, 1_000)
          .mapToObj(n -> "{\"urlGroup\":\"g\",\"path\":\"/in\",\"delay\":\"5h\","
              + "\"headers\":{\"X-Api-Key\":\"own\"}}")
          .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
      assertThat(client.post("/v1/jobs/batch", jobs).status()).isEqualTo(201);
    }
  }

  /** Starts the server, which goes on by itself, and kills it when it is so far. */
  private void killWhen(String admin, Predicate<Client.Reply> far) {
    try (ServerProcess server = serve()) {
      Client client = new Client(server.address(), admin);
      Eventually.await("so far", PATIENCE, () -> far.test(client.get("/v1/master-key")));
      System.out.println("killed at " + client.get("/v1/master-key").body().at("/rows"));
      server.kill();
    }
  }

  private void deliverAll() {
    EmbeddedPostgres.Running postgres = EmbeddedPostgres.running(
            folder.resolve("sluice-data").resolve("postgres"))
        .orElseThrow();
    TestDatabase.execute(
        new ServerSettings.DatabaseSettings(
            postgres.jdbcUrl(), postgres.user(), postgres.password(), "sluice"),
        "update later set run_at = now()");
  }
}
