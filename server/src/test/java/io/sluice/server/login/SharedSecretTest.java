package io.sluice.server.login;

import static io.sluice.server.login.Forge.quoted;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.server.AccessSettings;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Tokens by a shared secret, at a server that lets them make admins and calls its claims otherwise. */
class SharedSecretTest {
  private static final Forge FORGE = new Forge();
  private static final JwtSettings.Claims CLAIMS = new JwtSettings.Claims("org", "permission");

  private static TestServer server;

  @BeforeAll
  static void start() {
    server = TestServer.start(AccessSettings.of(TestServer.ADMIN_KEY)
        .withJwt(settings(new JwtKeys.Shared(Forge.SECRET), "HS256")));
    TestTenant.make(server.admin(), "acme");
  }

  private static JwtSettings settings(JwtKeys keys, String... algorithms) {
    return new JwtSettings(Forge.ISSUER, Forge.AUDIENCE, Set.of(algorithms), keys, CLAIMS, true);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static int status(String token, String path) {
    return server.admin().withKey(token).get(path).status();
  }

  private static String signed(String algorithm, String mac, String secret, String role) {
    return FORGE.byMac(
        mac,
        secret.getBytes(StandardCharsets.UTF_8),
        "{\"alg\":\"" + algorithm + "\"}",
        FORGE.claims("org", quoted("acme"), "permission", quoted(role)));
  }

  @Test
  void token_isBelieved_whenOurSecretAndAlgorithmSignedIt() {
    assertThat(status(signed("HS256", "HmacSHA256", Forge.SECRET, "viewer"), "/v1/tenants/acme"))
        .isEqualTo(200);
    assertThat(status(signed("HS384", "HmacSHA384", Forge.SECRET, "viewer"), "/v1/tenants/acme"))
        .isEqualTo(401);
    assertThat(
            status(signed("HS256", "HmacSHA256", Forge.SECRET + "!", "viewer"), "/v1/tenants/acme"))
        .isEqualTo(401);
    assertThat(status(FORGE.token(), "/v1/tenants/acme")).isEqualTo(401);
  }

  @Test
  void token_makesAnAdmin_whereTheSettingsLetIt() {
    String admin = signed("HS256", "HmacSHA256", Forge.SECRET, "admin");
    assertThat(status(admin, "/v1/tenants")).isEqualTo(200);
    assertThat(server
            .admin()
            .withKey(admin)
            .post("/v1/tenants", "{\"name\": \"by-token\"}")
            .status())
        .isEqualTo(201);
    assertThat(server.admin().get("/v1/audit?action=tenant.create").text("/items/0/actor"))
        .isEqualTo("jwt:someone");
  }

  @Test
  void token_isForbidden_whileItsTenantIsDisabled() {
    TestTenant.make(server.admin(), "off");
    String token = FORGE.byMac(
        "HmacSHA256",
        Forge.SECRET.getBytes(StandardCharsets.UTF_8),
        "{\"alg\":\"HS256\"}",
        FORGE.claims("org", quoted("off"), "permission", quoted("viewer")));
    assertThat(status(token, "/v1/tenants/off")).isEqualTo(200);
    server.admin().put("/v1/tenants/off", "{\"enabled\": false}");
    assertThat(status(token, "/v1/tenants/off")).isEqualTo(403);
    server.admin().delete("/v1/tenants/off");
    assertThat(status(token, "/v1/tenants/off")).isEqualTo(401);
  }

  @Test
  void settings_areRefused_whenTheyCannotBeSafe() {
    JwtKeys keys = new JwtKeys.Shared("x".repeat(47));
    assertThat(settings(keys, "HS256")).isNotNull();
    assertThatThrownBy(() -> settings(keys, "HS256", "HS384"))
        .hasMessageContaining("jwt-secret must have 48 or more bytes");
    assertThatThrownBy(() -> settings(keys, "RS256")).hasMessageContaining("jwt-algorithms");
    assertThatThrownBy(() -> settings(keys)).hasMessageContaining("jwt-algorithms");
    assertThatThrownBy(() -> settings(keys, "none")).hasMessageContaining("jwt-algorithms");
    JwtKeys open = new JwtKeys.Published(URI.create("http://issuer.example.com/k"));
    assertThatThrownBy(() -> settings(open, "RS256")).hasMessageContaining("https://");
    JwtKeys published = new JwtKeys.Published(URI.create("https://issuer.example.com/k"));
    assertThatThrownBy(() -> settings(published, "HS256")).hasMessageContaining("jwt-algorithms");
    assertThatThrownBy(() -> new JwtSettings(" ", "a", Set.of("RS256"), published, CLAIMS, false))
        .hasMessageContaining("jwt-issuer");
    assertThat(keys.toString()).doesNotContain("xxx");
  }
}
