package io.sluice.server.keys;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.Client;
import io.sluice.server.TestServer;
import io.sluice.server.TestTenant;
import io.sluice.server.access.Access;
import io.sluice.server.access.Role;
import io.sluice.testkit.Eventually;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Keys over REST, on two instances. */
@Tag("slow")
class KeyResourceTest {
  private static TestServer server;
  private static TestServer sibling;
  private static TestTenant acme;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    sibling = server.sibling();
    acme = TestTenant.make(server.admin(), "acme");
  }

  @AfterAll
  static void stop() {
    sibling.close();
    server.close();
  }

  private static Client.Reply make(Client client, String name, String role, String more) {
    return client.post(
        "/v1/tenants/acme/keys",
        "{\"name\": \"" + name + "\", \"role\": \"" + role + "\"" + more + "}");
  }

  private static int status(TestServer instance, String key) {
    return instance.admin().withKey(key).get("/v1/tenants/acme").status();
  }

  @Test
  void newKey_isToldOnce_andWorksAtOnce() {
    Client.Reply made = make(acme.as(Role.OPERATOR), "ci", "producer", "");
    assertThat(made.status()).isEqualTo(201);
    assertThat(made.body().propertyNames()).contains("id", "name", "role", "key");
    assertThat(made.text("/role")).isEqualTo("producer");
    assertThat(status(server, made.text("/key"))).isEqualTo(200);
    assertThat(status(sibling, made.text("/key"))).isEqualTo(200);
    Client.Reply list = acme.as(Role.OPERATOR).get("/v1/tenants/" + acme.id() + "/keys");
    assertThat(list.raw().body())
        .contains(made.text("/id"), made.text("/prefix"), "\"revoked\":false")
        .doesNotContain(made.text("/key"))
        .doesNotContain("hash");
    assertThat(list.body().at("/items/0").propertyNames())
        .contains("prefix", "createdAt", "expiresAt", "lastUsedAt", "revoked")
        .doesNotContain("key");
  }

  @Test
  void rightIdWithAWrongSecret_isNoKey() {
    String prefix = make(acme.as(Role.OPERATOR), "guessed", "viewer", "").text("/prefix");
    String publicId = prefix.substring(prefix.indexOf('_') + 1);
    ApiKey guess = ApiKey.of(publicId, "0".repeat(ApiKey.SECRET));
    assertThat(ApiKey.parse(guess.text())).isPresent();
    assertThat(status(server, guess.text())).isEqualTo(401);
  }

  @Test
  void database_hasTheHashOnly() {
    String key = make(acme.as(Role.OPERATOR), "hidden", "viewer", "").text("/key");
    String secret = key.substring(key.lastIndexOf('_') + 1);
    List<String> rows = server.query("select k::text from {schema}.api_key k");
    assertThat(rows).isNotEmpty().noneMatch(row -> row.contains(secret.substring(0, 12)));
    assertThat(server.query("select hash from {schema}.api_key"))
        .allMatch(hash -> hash.matches("[0-9a-f]{64}"));
    List<String> log = server.query("select a::text from {schema}.audit a");
    assertThat(log).isNotEmpty().noneMatch(row -> row.contains(secret.substring(0, 12)));
  }

  @Test
  void revokedKey_isRefused_hereAtOnceAndElsewhereSoon() {
    Client.Reply made = make(acme.as(Role.OPERATOR), "short-lived", "viewer", "");
    String key = made.text("/key");
    assertThat(status(sibling, key)).isEqualTo(200);
    String path = "/v1/tenants/acme/keys/" + made.text("/id");
    assertThat(acme.as(Role.OPERATOR).delete(path).status()).isEqualTo(204);
    assertThat(status(server, key)).isEqualTo(401);
    Eventually.await("the sibling refuses it", () -> status(sibling, key) == 401);
    assertThat(acme.as(Role.OPERATOR).delete(path).status()).isEqualTo(204);
    assertThat(server.admin().get("/v1/audit?action=key.revoke").raw().body())
        .containsOnlyOnce(made.text("/id"));
  }

  @Test
  void expiredKey_isRefused() {
    Client.Reply made = make(
        acme.as(Role.OPERATOR), "soon over", "viewer", ", \"expiresAt\": \"2999-01-01T00:00:00Z\"");
    assertThat(made.text("/expiresAt")).isEqualTo("2999-01-01T00:00:00Z");
    assertThat(status(server, made.text("/key"))).isEqualTo(200);
    server.query(
        "update {schema}.api_key set expires_at = now() where id = '" + made.text("/id") + "'");
    Eventually.await("it has expired", () -> status(server, made.text("/key")) == 401);
    Client.Reply past =
        make(acme.as(Role.OPERATOR), "over", "viewer", ", \"expiresAt\": \"2020-01-01T00:00:00Z\"");
    assertThat(past.status()).isEqualTo(422);
    assertThat(past.text("/errors/0/field")).isEqualTo("expiresAt");
  }

  @Test
  void nobody_makesOrRevokesAKeyAboveItself() {
    for (Role maker : Role.values()) {
      for (Role made : Role.values()) {
        int status = TestTenant.newKey(acme.as(maker), acme.id(), made).status();
        boolean may = maker.may(Access.OPERATE) && maker.covers(made);
        assertThat(status).as(maker + " makes " + made).isEqualTo(may ? 201 : 403);
      }
    }
    String admins = make(server.admin(), "an admin's", "admin", "").text("/id");
    assertThat(acme.as(Role.OPERATOR).delete("/v1/tenants/acme/keys/" + admins).status())
        .isEqualTo(403);
    assertThat(server.admin().delete("/v1/tenants/acme/keys/" + admins).status())
        .isEqualTo(204);
  }

  @Test
  void key_goesByItsName_whileThatIsTheOnlyOne() {
    make(server.admin(), "twin", "viewer", "");
    assertThat(server.admin().delete("/v1/tenants/acme/keys/twin").status()).isEqualTo(204);
    assertThat(server.admin().delete("/v1/tenants/acme/keys/twin").status()).isEqualTo(404);
    make(server.admin(), "twin", "viewer", "");
    make(server.admin(), "twin", "viewer", "");
    assertThat(server.admin().delete("/v1/tenants/acme/keys/twin").status()).isEqualTo(409);
    assertThat(server.admin().delete("/v1/tenants/acme/keys/%00").status()).isEqualTo(404);
  }

  @Test
  void badRequest_namesItsFields() {
    Client.Reply reply = server.admin().post("/v1/tenants/acme/keys", "{\"name\": \" \"}");
    assertThat(reply.status()).isEqualTo(422);
    assertThat(reply.body().at("/errors").valueStream().map(e -> e.at("/field").asString()))
        .containsExactly("name", "role");
    assertThat(make(server.admin(), "x", "root", "").text("/errors/0/field")).isEqualTo("role");
    assertThat(make(server.admin(), acme.id(), "viewer", "").status()).isEqualTo(422);
    assertThat(server.admin().get("/v1/tenants/acme/keys?cursor=x").status()).isEqualTo(422);
    assertThat(server.admin().get("/v1/tenants/nobody/keys").status()).isEqualTo(404);
  }

  @Test
  void list_goesOnFromItsCursor() {
    TestTenant many = TestTenant.make(server.admin(), "many");
    Client operator = many.as(Role.OPERATOR);
    Client.Reply first = operator.get("/v1/tenants/many/keys?limit=3");
    Client.Reply second =
        operator.get("/v1/tenants/many/keys?limit=3&cursor=" + first.text("/nextCursor"));
    assertThat(first.body().at("/items").size()).isEqualTo(3);
    assertThat(second.body().at("/items").size()).isEqualTo(3);
    assertThat(second.body().at("/nextCursor").isNull()).isTrue();
    assertThat(second.raw().body()).doesNotContain(first.text("/items/2/id"));
  }

  @Test
  void use_isNoted() {
    Client.Reply made = make(server.admin(), "used", "operator", "");
    Client client = server.admin().withKey(made.text("/key"));
    client.get("/v1/tenants/acme");
    Eventually.await(
        "its use is noted",
        () -> !server
            .query("select id from {schema}.api_key where last_used_at is not null and id = '"
                + made.text("/id") + "'")
            .isEmpty());
    assertThat(client.get("/v1/tenants/acme/keys").text("/items/0/lastUsedAt")).isNotEmpty();
  }
}
