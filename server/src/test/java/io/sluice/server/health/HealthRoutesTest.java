package io.sluice.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.ErrorCode;
import io.sluice.Health;
import io.sluice.SluiceException;
import io.sluice.server.Client;
import io.sluice.server.rest.Gatekeeper;
import io.sluice.server.rest.Json;
import io.sluice.server.rest.Listen;
import io.sluice.server.rest.RestServer;
import io.sluice.server.rest.Routes;
import io.sluice.server.rest.Traffic;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What probes are told, over a real socket. */
class HealthRoutesTest {
  private static final Health WELL = new Health(true, List.of(), List.of("an alert"));

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicBoolean database = new AtomicBoolean(true);
  private final AtomicReference<Health> health = new AtomicReference<>(WELL);
  private final AtomicReference<List<String>> notes = new AtomicReference<>(List.of());
  private final Readiness readiness = new Readiness(this::answers, nanos::get);
  private RestServer server;
  private Client probe;

  private boolean answers() {
    if (!database.get()) {
      throw new SluiceException(ErrorCode.PERSISTENCE_FAILURE, "db.internal:5432 refused");
    }
    return true;
  }

  @BeforeEach
  void start() {
    Gatekeeper closed = new Gatekeeper(
        (token, address) -> {
          throw new SluiceException(ErrorCode.UNAUTHORIZED, "no");
        },
        name -> name);
    Routes routes =
        new HealthRoutes(readiness, health::get, notes::get, nanos::get).addTo(new Routes());
    Traffic traffic = new Traffic(nanos::get, exchange -> {});
    server = new RestServer(new Listen("127.0.0.1", 0, null), routes, closed, new Json(), traffic)
        .start();
    probe = new Client("http://127.0.0.1:" + server.port(), null);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void later() {
    nanos.addAndGet(3_000_000_000L);
  }

  private void told(String path, int status, String... reasons) {
    Client.Reply reply = probe.get(path);
    assertThat(reply.status()).isEqualTo(status);
    assertThat(reply.text("/status")).isEqualTo(status == 200 ? "ok" : "unavailable");
    assertThat(reply.body().at("/reasons").valueStream().map(r -> r.asString()))
        .containsExactly(reasons);
  }

  @Test
  void ready_fromTheEndOfTheStartToTheBeginningOfTheStop() {
    told("/health/ready", 503, "starting");
    told("/health/live", 200);
    readiness.serving();
    told("/health/ready", 200);
    readiness.stopping();
    told("/health/ready", 503, "stopping");
    told("/health/live", 200);
  }

  @Test
  void ready_notWithoutTheDatabase_andAgainWhenItIsBack() {
    readiness.serving();
    told("/health/ready", 200);
    database.set(false);
    told("/health/ready", 200); // looked at a moment ago
    later();
    told("/health/ready", 503, "the database does not answer");
    database.set(true);
    later();
    told("/health/ready", 200);
  }

  @Test
  void queue_saysWhichRuleIsBroken_andNothingOfOurInside() {
    told("/health/queue", 200);
    health.set(new Health(
        false, List.of("jobs wait: 2000, over the mark of 1000", "store: db.internal"), List.of()));
    later();
    told(
        "/health/queue",
        503,
        "jobs wait: 2000, over the mark of 1000",
        "the store does not answer");
    assertThat(probe.get("/health/queue").header("retry-after")).isEqualTo("1");
  }

  @Test
  void queue_tellsWhatIsWorthKnowing_andStaysWell() {
    notes.set(List.of("1 breaker is open"));
    told("/health/queue", 200);
    assertThat(probe.get("/health/queue").text("/notes/0")).isEqualTo("1 breaker is open");
  }

  @Test
  void query_isRefused() {
    assertThat(probe.get("/health/live?verbose=1").status()).isEqualTo(422);
  }
}
