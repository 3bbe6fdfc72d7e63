package io.sluice.server.login;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Role;
import org.junit.jupiter.api.Test;

/** What becomes of an address from which many log-ins fail. */
class LoginTest {
  @Test
  void failures_areLimited_andAGoodKeyStillPasses() {
    try (TestServer server = TestServer.start()) {
      TestTenant acme = TestTenant.make(server.admin(), "acme");
      assertThat(acme.as(Role.VIEWER).get("/v1/tenants/acme").status()).isEqualTo(200);
      Client wrong = server.admin().withKey("sluice_wrong");
      Client.Reply limited = wrong.get("/v1/tenants/acme");
      int refused = 0;
      while (limited.status() == 401 && refused < 1_000) {
        refused++;
        limited = wrong.get("/v1/tenants/acme");
      }
      assertThat(refused).isBetween(10, 999);
      assertThat(limited.status()).isEqualTo(429);
      assertThat(limited.text("/code")).isEqualTo("RATE_LIMITED");
      assertThat(Integer.parseInt(limited.header("Retry-After"))).isBetween(1, 6);
      assertThat(acme.as(Role.VIEWER).get("/v1/tenants/acme").status()).isEqualTo(200);
      assertThat(server.admin().get("/v1/tenants/acme").status()).isEqualTo(200);
      assertThat(wrong.withKey(null).get("/v1/tenants/acme").status()).isEqualTo(401);
    }
  }
}
