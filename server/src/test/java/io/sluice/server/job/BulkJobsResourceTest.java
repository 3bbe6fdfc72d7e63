package io.sluice.server.job;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Many jobs cancelled and retried in one call, by their ids or by a filter. */
class BulkJobsResourceTest {
  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.startWithoutHandlers();
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String add(Client client, String type) {
    return ok(201, client.post("/v1/jobs", "{\"type\":\"" + type + "\"}"))
        .path("id")
        .asString();
  }

  private static String dead(Client client, String type) {
    String id = add(client, type);
    String claim = "{\"worker\":\"w\",\"types\":[\"" + type + "\"],\"wait\":\"5s\"}";
    String lease = client.post("/v1/queues/default/claim", claim).text("/items/0/lease");
    ok(200, client.post("/v1/leases/" + lease + "/fail", "{\"retry\":false}"));
    return id;
  }

  private static String state(Client client, String id) {
    return client.get("/v1/jobs/" + id).text("/state");
  }

  private static void changed(int jobs, Client.Reply reply) {
    JsonNode answer = ok(200, reply);
    assertThat(answer.path("changed").asInt(-1)).isEqualTo(jobs);
    assertThat(answer.path("more").asBoolean(true)).isFalse();
    assertThat(answer.size()).isEqualTo(2);
  }

  @Test
  void cancel_takesIds_ofTheTenantAlone() {
    Client client = server.tenant("ids");
    Client other = server.tenant("ids2");
    String one = add(client, "a");
    String left = add(client, "a");
    String over = dead(client, "b");
    String foreign = add(other, "a");
    String ids = "{\"ids\":[\"%s\",\"%s\",\"%s\"]}".formatted(one, over, foreign);
    changed(1, client.post("/v1/jobs/cancel", ids));
    assertThat(state(client, one)).isEqualTo("CANCELLED");
    assertThat(state(client, left)).isEqualTo("PENDING");
    assertThat(state(client, over)).isEqualTo("DEAD");
    assertThat(state(other, foreign)).isEqualTo("PENDING");
    changed(0, client.post("/v1/jobs/cancel", ids));
    changed(2, client.post("/v1/jobs/retry", ids));
    assertThat(state(client, over)).isEqualTo("PENDING");
  }

  @Test
  void cancel_takesWhatFits_andIsNotFinished() {
    Client client = server.tenant("cancel");
    String over = dead(client, "a");
    String a = add(client, "a");
    String b = add(client, "b");
    changed(0, client.post("/v1/jobs/cancel", "{\"type\":\"a\",\"state\":\"SCHEDULED\"}"));
    changed(1, client.post("/v1/jobs/cancel", "{\"type\":\"a\"}"));
    assertThat(state(client, a)).isEqualTo("CANCELLED");
    assertThat(state(client, b)).isEqualTo("PENDING");
    assertThat(state(client, over)).isEqualTo("DEAD");
    changed(1, client.post("/v1/jobs/cancel", "{\"all\":true}"));
    invalid("state", client.post("/v1/jobs/cancel", "{\"state\":\"pending,dead\"}"));
    invalid("type", client.post("/v1/jobs/cancel?type=a", "{\"all\":true}"));
  }

  @Test
  void retry_leavesCancelledJobs_unlessTheirStateIsNamed() {
    Client client = server.tenant("retry");
    String dead = dead(client, "a");
    String cancelled = add(client, "a");
    ok(200, client.delete("/v1/jobs/" + cancelled));
    changed(1, client.post("/v1/jobs/retry", "{\"type\":\"a\"}"));
    assertThat(state(client, dead)).isEqualTo("PENDING");
    assertThat(state(client, cancelled)).isEqualTo("CANCELLED");
    changed(1, client.post("/v1/jobs/retry", "{\"type\":\"a\",\"state\":\"CANCELLED\"}"));
    assertThat(state(client, cancelled)).isEqualTo("PENDING");
    invalid("state", client.post("/v1/jobs/retry", "{\"state\":\"COMPLETED\"}"));
  }

  @Test
  void producersCancel_andOperatorsRetry() {
    TestTenant tenant = TestTenant.make(server.admin(), "roles");
    String all = "{\"all\":true}";
    changed(0, tenant.as(Role.PRODUCER).post("/v1/jobs/cancel", all));
    refused(403, "FORBIDDEN", tenant.as(Role.PRODUCER).post("/v1/jobs/retry", all));
    changed(0, tenant.as(Role.OPERATOR).post("/v1/jobs/retry", all));
    refused(403, "FORBIDDEN", tenant.as(Role.VIEWER).post("/v1/jobs/cancel", all));
  }
}
