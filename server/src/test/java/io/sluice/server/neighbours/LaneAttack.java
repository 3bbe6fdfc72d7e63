package io.sluice.server.neighbours;

import io.sluice.server.Expect;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Very many lanes of which nothing may run: without a handler, in a paused queue, of a disabled URL group, of a disabled
 * tenant. More than 512 of them once held up every delivery of every tenant.
 */
record LaneAttack() implements Attack {
  private static final int LANES = 600;
  private static final int MOST_CALLS = 48;

  /** Nothing listens there: the discard port. */
  private static final String NOWHERE = "http://127.0.0.1:9";

  @Override
  public String title() {
    return "1 lanes";
  }

  @Override
  public void run(Attacker attacker) throws InterruptedException {
    attacker.post(Role.OPERATOR, "/v1/queues", "{\"name\":\"paused\"}");
    attacker.post(Role.OPERATOR, "/v1/queues/paused/pause", "");
    attacker.post(
        Role.OPERATOR,
        "/v1/url-groups",
        "{\"name\":\"off\",\"enabled\":false,\"baseUrl\":\"" + NOWHERE + "\"}");
    disableATenant(attacker.tenant());
    List<IntFunction<String>> ways = List.of(
        lane -> "{\"type\":\"nobody\",\"limitKey\":\"c%d\"}".formatted(lane),
        lane -> "{\"type\":\"nobody.%d\"}".formatted(lane),
        lane ->
            "{\"queue\":\"paused\",\"url\":\"%s\",\"limitKey\":\"c%d\"}".formatted(NOWHERE, lane),
        lane -> "{\"urlGroup\":\"off\",\"path\":\"/\",\"limitKey\":\"c%d\"}".formatted(lane));
    for (int call = 0; call < MOST_CALLS; call++) {
      String jobs = jobs(call / ways.size(), ways.get(call % ways.size()));
      attacker.post(Role.PRODUCER, "/v1/jobs/batch", jobs);
      if (!attacker.pause(Duration.ofSeconds(1))) {
        return;
      }
    }
  }

  private static String jobs(int round, IntFunction<String> job) {
    return IntStream.range(0, LANES)
        .mapToObj(lane -> job.apply(round * LANES + lane))
        .collect(Collectors.joining(",", "{\"jobs\":[", "]}"));
  }

  /** An admin's remedy against a tenant like this. */
  private static void disableATenant(TestTenant tenant) {
    TestTenant other = TestTenant.make(tenant.admin(), tenant.name() + "-disabled");
    String jobs = jobs(
        0,
        lane -> "{\"url\":\"%s\",\"limitKey\":\"c%d\",\"delay\":\"4s\"}".formatted(NOWHERE, lane));
    Expect.ok(201, other.as(Role.PRODUCER).post("/v1/jobs/batch", jobs));
    Expect.ok(200, tenant.admin().put("/v1/tenants/" + other.id(), "{\"enabled\":false}"));
  }
}
