package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.access.Access;
import io.sluice.server.access.Role;
import io.sluice.server.rest.Route;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Every route that the server has, used by one tenant's operator to get at another's things. */
class ForeignTenantTest {
  private static final String SECRET = "zq7secret";
  private static final Set<Integer> REFUSED = Set.of(403, 404, 409, 422);

  private static TestServer server;
  private static Belongings victim;
  private static Belongings intruder;
  private static Client operator;
  private static final List<String> wrong = new ArrayList<>();
  private static int calls;
  private static int cursors;

  @BeforeAll
  static void start() {
    server = TestServer.start();
    victim = Belongings.make(
        TestTenant.make(server.admin(), "zq7victim"), SECRET, server.routes().all());
    intruder = Belongings.make(
        TestTenant.make(server.admin(), "intruder"),
        "nothing special",
        server.routes().all());
    operator = intruder.tenant().as(Role.OPERATOR);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static List<Route> guarded() {
    return server.routes().all().stream()
        .filter(route -> route.access() != Access.PUBLIC)
        .toList();
  }

  /** What the victim sees of its things; a thing that it cannot read would make the test worthless. */
  private static Map<String, String> state() {
    Client owner = victim.tenant().as(Role.OPERATOR);
    Map<String, String> state = new LinkedHashMap<>();
    guarded().stream()
        .filter(route -> route.method().equals("GET") && Role.OPERATOR.may(route.access()))
        .filter(route -> !Examples.isRestless(route))
        .forEach(route -> {
          Client.Reply reply = owner.get(victim.path(route));
          assertThat(reply.status()).as(Examples.of(route)).isEqualTo(200);
          state.put(
              Examples.of(route),
              reply.raw().body().replaceAll("\"lastUsedAt\":(null|\"[^\"]*\")", ""));
        });
    return state;
  }

  @Test
  void noRoute_givesOrChangesWhatIsAnothers() {
    Map<String, String> before = state();
    for (Route route : guarded()) {
      byPath(route);
      byBody(route);
      byHeader(route);
      byQuery(route);
      byCursor(route);
    }
    System.out.printf(
        "foreign tenant: %d routes, %d calls, %d of them with a cursor, %d wrong answers%n",
        guarded().size(), calls, cursors, wrong.size());
    assertThat(wrong).isEmpty();
    assertThat(state()).isEqualTo(before);
    assertThat(before.toString()).contains(SECRET);
    assertThat(cursors).isPositive();
  }

  /** The victim's things in the path: all of them, and only the last behind the intruder's own. */
  private static void byPath(Route route) {
    List<String> kinds = Belongings.kinds(route);
    if (kinds.isEmpty()) {
      return;
    }
    String body = Examples.body(route).map(intruder::filled).orElse(null);
    for (int way = 0; way <= 1; way++) {
      for (List<String> foreign : new LinkedHashSet<>(List.of(kinds, List.of(kinds.getLast())))) {
        String path = intruder.path(route, foreign, victim, way);
        judge(
            route,
            "path " + path,
            operator.send(route.method(), path, body),
            !Examples.isNaming(route));
      }
    }
  }

  /** The victim's things in the body of a call about the intruder's own. */
  private static void byBody(Route route) {
    List<String> examples = new ArrayList<>(Examples.references(route));
    Examples.body(route).ifPresent(examples::add);
    for (String example : examples) {
      if (Belongings.namesThings(example)) {
        for (int way = 0; way <= 1; way++) {
          String body = intruder.filled(example, victim, way);
          judge(
              route,
              "body " + body,
              operator.send(route.method(), intruder.path(route), body),
              true);
        }
      }
    }
  }

  private static void byHeader(Route route) {
    String body = Examples.body(route).map(intruder::filled).orElse(null);
    for (String name : List.of(victim.tenant().name(), victim.tenant().id())) {
      judge(
          route,
          "Sluice-Tenant " + name,
          operator.forTenant(name).send(route.method(), intruder.path(route), body),
          true);
    }
  }

  /** The victim's things as a filter: at best an empty list. */
  private static void byQuery(Route route) {
    if (route.method().equals("GET")) {
      List<String> filters = new ArrayList<>();
      for (String kind : List.of("tenant", "queue", "urlGroup", "job", "schedule")) {
        String plural = kind.equals("urlGroup") ? "url-groups" : kind + "s";
        if (victim.has(plural)) {
          filters.add(kind + "=" + victim.thing(plural));
        }
      }
      filters.add("q=" + SECRET);
      for (String filter : filters) {
        Client.Reply reply = operator.get(intruder.path(route) + "?" + filter);
        judge(route, "query " + filter, reply, false);
      }
    }
  }

  /** The victim's place in a list, taken over into the same list of the intruder's. */
  private static void byCursor(Route route) {
    if (route.method().equals("GET") && Role.OPERATOR.may(route.access())) {
      Client.Reply first = victim.tenant().as(Role.OPERATOR).get(victim.path(route) + "?limit=1");
      String cursor = first.text("/nextCursor");
      if (!cursor.isEmpty() && !cursor.equals("null")) {
        String encoded = URLEncoder.encode(cursor, StandardCharsets.UTF_8);
        Client.Reply reply = operator.get(intruder.path(route) + "?cursor=" + encoded);
        judge(route, "cursor " + cursor, reply, false);
        cursors++;
      }
    }
  }

  private static void judge(Route route, String how, Client.Reply reply, boolean mustRefuse) {
    calls++;
    String told = reply.raw().body();
    // What the intruder said itself may be said back to it.
    boolean leaks = victim.marks().stream().anyMatch(m -> told.contains(m) && !how.contains(m));
    boolean lets = mustRefuse && !REFUSED.contains(reply.status());
    if (leaks || lets || reply.status() == 500) {
      wrong.add("%s by %s was %d: %s".formatted(Examples.of(route), how, reply.status(), told));
    }
  }
}
