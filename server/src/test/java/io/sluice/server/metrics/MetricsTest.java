package io.sluice.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.Event;
import io.sluice.Lane;
import io.sluice.server.Client;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What /metrics tells, and to whom. */
class MetricsTest {
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.start();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static List<String> scrape() {
    Client.Reply reply = server.admin().get("/metrics");
    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("content-type")).startsWith("text/plain");
    return reply.raw().body().lines().toList();
  }

  @Test
  void figures_areForAdminsAndMonitors_whoSeeNothingElse() {
    assertThat(server.admin().withKey(null).get("/metrics").status()).isEqualTo(401);
    TestTenant tenant = TestTenant.make(server.admin(), "watched");
    assertThat(tenant.as(Role.OPERATOR).get("/metrics").status()).isEqualTo(403);
    Client monitor = tenant.as(Role.MONITOR);
    assertThat(monitor.get("/metrics").status()).isEqualTo(200);
    assertThat(monitor.get("/health/queue").status()).isEqualTo(200);
    for (String path :
        new String[] {"/v1/jobs", "/v1/queues", "/v1/stats", "/v1/tenants/watched"}) {
      assertThat(monitor.get(path).status()).as(path).isEqualTo(403);
    }
  }

  @Test
  void figures_areOfTheJvmTheProcessTheStoreAndThePools() {
    assertThat(scrape())
        .anyMatch(line -> line.startsWith("jvm_memory_used_bytes{"))
        .anyMatch(line -> line.startsWith("process_cpu_usage "))
        .anyMatch(line -> line.startsWith("process_files_open_files "))
        .contains("sluice_store_up 1.0")
        .anyMatch(line -> line.startsWith("sluice_queue_oldest_waiting_seconds "))
        .anyMatch(line ->
            line.startsWith("sluice_pool_connections{pool=\"sluice-work\",state=\"most\"} 10"))
        .anyMatch(line -> line.startsWith("sluice_pool_connections{pool=\"sluice-server\""));
  }

  @Test
  void requests_areCountedByRouteAndNotByPath() {
    server.admin().get("/health/live");
    server.admin().get("/v1/made-up/" + UUID.fromString("00000000-0000-4000-8000-000000000000"));
    List<String> lines = scrape();
    assertThat(lines)
        .anyMatch(
            line -> line.startsWith(
                "sluice_http_requests_seconds_count{method=\"GET\",route=\"/health/live\",status=\"200\"}"))
        .anyMatch(line -> line.startsWith(
            "sluice_http_requests_seconds_count{method=\"none\",route=\"none\",status=\"404\"}"))
        .noneMatch(line -> line.contains("made-up"));
  }

  @Test
  void events_areCountedByQueue_upToABound() {
    Labels labels = new Labels(2);
    var registry = new io.micrometer.core.instrument.simple.SimpleMeterRegistry();
    JobCounters counters = new JobCounters(registry, labels);
    for (String queue : List.of("a", "a", "b", "c", "d")) {
      counters.on(event(Event.Kind.COMPLETED, queue, "http"));
    }
    counters.on(event(Event.Kind.FAILED, "a", "email.send"));
    counters.on(event(Event.Kind.PROGRESS, "a", "email.send"));
    assertThat(registry.get("sluice.jobs.completed").tag("queue", "a").counter().count())
        .isEqualTo(2);
    assertThat(registry
            .get("sluice.jobs.completed")
            .tag("queue", "_other")
            .counter()
            .count())
        .isEqualTo(2);
    assertThat(registry.find("sluice.jobs.completed").counters()).hasSize(3);
    assertThat(registry
            .get("sluice.deliveries")
            .tag("outcome", "delivered")
            .counter()
            .count())
        .isEqualTo(5);
    assertThat(registry.find("sluice.jobs.progress").counters()).isEmpty();
  }

  private static Event event(Event.Kind kind, String queue, String type) {
    return new Event.OfJob(
        kind, Instant.EPOCH, new UUID(0, 0), new Lane("acme", queue, type, "", ""), 1, false, null);
  }
}
