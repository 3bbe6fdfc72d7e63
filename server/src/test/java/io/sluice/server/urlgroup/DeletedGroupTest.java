package io.sluice.server.urlgroup;

import static io.sluice.server.Expect.invalid;
import static io.sluice.server.Expect.ok;
import static io.sluice.server.Expect.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import org.junit.jupiter.api.Test;

/** A URL group that was deleted: nothing new can name it. */
class DeletedGroupTest {
  @Test
  void aDeletedGroup_takesNoJob_andNoQueue() {
    try (TestServer server = TestServer.startWithoutHandlers()) {
      Client client = server.tenant("gone");
      String job = "{\"urlGroup\":\"gx\",\"path\":\"/ok\",\"delay\":\"1h\"}";
      String group = "{\"name\":\"gx\",\"baseUrl\":\"https://example.com/\"}";
      ok(201, client.post("/v1/url-groups", group));
      ok(201, client.post("/v1/jobs", job));
      assertThat(client.delete("/v1/url-groups/gx?force=true").status()).isEqualTo(204);
      refused(404, "NOT_FOUND", client.get("/v1/url-groups/gx"));
      invalid("urlGroup", client.post("/v1/jobs", job));
      invalid("urlGroup", client.post("/v1/queues", "{\"name\":\"qgx\",\"urlGroup\":\"gx\"}"));
      ok(201, client.post("/v1/url-groups", group));
      ok(201, client.post("/v1/jobs", job));
    }
  }
}
