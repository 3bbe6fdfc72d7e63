package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.access.Access;
import io.sluice.server.access.Role;
import io.sluice.server.rest.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every route that the server has, called by every kind of caller. */
class RouteMatrixTest {
  private static final String NOBODY = "0192f0c1-2b7e-7000-8000-000000000000";
  private static final int LET_IN = 0;

  /** Someone who calls, and how a route with this access should answer: 401, 403 or anything else. */
  private record Persona(String name, Client client, ToIntFunction<Access> expected) {}

  private static TestServer server;
  private static final Map<String, Persona> personas = new LinkedHashMap<>();

  @BeforeAll
  static void start() {
    server = TestServer.start(AccessSettings.of(TestServer.ADMIN_KEY).withLoginFailures(1_000_000));
    Client admin = server.admin();
    TestTenant acme = TestTenant.make(admin, "acme");
    for (Role role : Role.values()) {
      add(role.label(), acme.as(role), access -> role.may(access) ? LET_IN : 403);
    }
    add("nobody", admin.withKey(null), access -> 401);
    add("a wrong key", admin.withKey("sluice_made_up"), access -> 401);
    Client.Reply revoked = TestTenant.newKey(admin, acme.id(), Role.ADMIN);
    admin.delete("/v1/tenants/acme/keys/" + revoked.text("/id"));
    add("a revoked key", admin.withKey(revoked.text("/key")), access -> 401);
    Client.Reply expired = TestTenant.newKey(admin, acme.id(), Role.ADMIN);
    server.query("update {schema}.api_key set expires_at = now() - interval '1 second' where id = '"
        + expired.text("/id") + "'");
    add("an expired key", admin.withKey(expired.text("/key")), access -> 401);
    TestTenant disabled = TestTenant.make(admin, "disabled");
    admin.put("/v1/tenants/disabled", "{\"enabled\": false}");
    for (Role role : List.of(Role.ADMIN, Role.OPERATOR, Role.VIEWER)) {
      add("a disabled tenant's " + role.label(), disabled.as(role), access -> 403);
    }
  }

  private static void add(String name, Client client, ToIntFunction<Access> expected) {
    personas.put(name, new Persona(name, client, expected));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void everyRouteWithABody_hasAnExample() {
    assertThat(server.routes().all())
        .filteredOn(Examples::takesBody)
        .filteredOn(route -> !Examples.isKnown(route))
        .extracting(Examples::of)
        .as("routes with a body that are not in Examples.BODIES: add an acceptable body there")
        .isEmpty();
  }

  @Test
  void everyRoute_letsInExactlyThoseWhoMay() {
    List<String> wrong = new ArrayList<>();
    int calls = 0;
    for (Route route : server.routes().all()) {
      for (Persona persona : personas.values()) {
        int status = call(route, persona).status();
        int expected =
            route.access() == Access.PUBLIC ? LET_IN : persona.expected.applyAsInt(route.access());
        boolean right = expected == LET_IN ? status != 401 && status != 403 : status == expected;
        if (!right || status == 500) {
          wrong.add("%s by %s was %d".formatted(Examples.of(route), persona.name, status));
        }
        calls++;
      }
    }
    System.out.printf(
        "route matrix: %d routes x %d callers = %d calls, %d wrong answers%n",
        server.routes().all().size(), personas.size(), calls, wrong.size());
    assertThat(wrong).isEmpty();
    assertThat(calls).isGreaterThan(100);
  }

  /** Calls a route about things that nobody has, so that nothing of the cast is changed. */
  private static Client.Reply call(Route route, Persona persona) {
    String path = route.path().replaceAll("\\{[^}]+}", NOBODY);
    String body = Examples.body(route)
        .map(example -> example
            .replace("${name}", "n" + System.nanoTime())
            .replaceAll("\\$\\{[^}]+}", "nothing"))
        .orElse(null);
    return persona.client.send(route.method(), path, body);
  }
}
