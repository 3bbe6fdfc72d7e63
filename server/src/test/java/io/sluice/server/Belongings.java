package io.sluice.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.server.access.Role;
import io.sluice.server.rest.Route;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * One thing of every kind that a tenant can have on this server, by the part of the path that names
 * the kind, with what it goes by: its id, and its name if it has one.
 */
final class Belongings {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([^}]+)}");
  private static final Pattern PARAMETER = Pattern.compile("([^/]+)/\\{[^}]+}");
  private static final List<String> KINDS =
      List.of("queues", "url-groups", "jobs", "schedules", "triggers", "batches");
  private static final AtomicInteger COUNT = new AtomicInteger();

  private final TestTenant tenant;
  private final String secret;
  private final Map<String, List<String>> things = new HashMap<>();

  private Belongings(TestTenant tenant, String secret) {
    this.tenant = tenant;
    this.secret = secret;
  }

  /** Has the tenant make one of everything; {@code secret} is in whatever it says of it. */
  static Belongings make(TestTenant tenant, String secret, List<Route> routes) {
    Belongings all = new Belongings(tenant, secret);
    all.things.put("tenants", List.of(tenant.id(), tenant.name()));
    // Two of each, so that lists have a page after the first.
    for (int i = 0; i < 2; i++) {
      for (String kind : KINDS) {
        find(routes, "POST /v1/" + kind).ifPresent(route -> all.create(kind, route));
      }
      find(routes, "POST /v1/tenants/{id}/keys").ifPresent(route -> all.create("keys", route));
    }
    find(routes, "POST /v1/jobs").ifPresent(route -> all.create("dlq", route));
    find(routes, "POST /v1/queues/{id}/claim").ifPresent(all::claim);
    find(routes, "PUT /v1/limits/{key}").ifPresent(all::limit);
    find(routes, "PUT /v1/circuit-breakers/{type}").ifPresent(route -> all.breaker("b", route));
    find(routes, "PUT /v1/circuit-breakers/{type}").ifPresent(route -> all.breaker("a", route));
    return all;
  }

  private static Optional<Route> find(List<Route> routes, String name) {
    return routes.stream().filter(route -> Examples.of(route).equals(name)).findFirst();
  }

  private void create(String kind, Route route) {
    Client.Reply made =
        tenant.as(Role.OPERATOR).post(path(route), filled(Examples.body(route).orElseThrow()));
    assertThat(made.status()).as(Examples.of(route) + ": " + made.raw().body()).isEqualTo(201);
    List<String> names = new ArrayList<>(List.of(made.text("/id")));
    if (!made.text("/name").isEmpty() && !kind.equals("keys")) {
      names.add(made.text("/name"));
    }
    things.put(kind, names);
  }

  private void claim(Route route) {
    Client.Reply claimed =
        tenant.as(Role.WORKER).post(path(route), Examples.body(route).orElseThrow());
    assertThat(claimed.status()).as(claimed.raw().body()).isEqualTo(200);
    things.put("leases", List.of(claimed.text("/items/0/lease")));
  }

  /** On a queue: a name that is nothing of another tenant's would only make a limit key of it. */
  private void limit(Route route) {
    String key = "queue:" + thing("queues");
    Client.Reply set =
        tenant.as(Role.OPERATOR).put("/v1/limits/" + key, Examples.body(route).orElseThrow());
    assertThat(set.status()).as(set.raw().body()).isEqualTo(200);
    things.put("limits", List.of(key));
  }

  private void breaker(String prefix, Route route) {
    String type = prefix + "-" + tenant.name();
    Client.Reply made = tenant
        .as(Role.OPERATOR)
        .put(route.path().replace("{type}", type), Examples.body(route).orElseThrow());
    assertThat(made.status()).as(made.raw().body()).isEqualTo(200);
    things.put("circuit-breakers", List.of(type));
  }

  TestTenant tenant() {
    return tenant;
  }

  boolean has(String kind) {
    return things.containsKey(kind);
  }

  /** Everything by which an answer would tell of these things. */
  List<String> marks() {
    List<String> marks = new ArrayList<>(List.of(secret));
    things.values().forEach(marks::addAll);
    return marks;
  }

  /** The name of a thing of this kind, or its id where it has none. */
  String thing(String kind) {
    return one(kind, 1);
  }

  /** The kinds of things that a path names, in order. */
  static List<String> kinds(Route route) {
    List<String> kinds = new ArrayList<>();
    var matcher = PARAMETER.matcher(route.path());
    while (matcher.find()) {
      kinds.add(matcher.group(1));
    }
    return kinds;
  }

  /** The route's path with this tenant's own things in it, by their ids. */
  String path(Route route) {
    return path(route, List.of(), null, 0);
  }

  /** As {@link #path(Route)}, with the things of these kinds another's, by id (0) or by name (1). */
  String path(Route route, List<String> foreign, Belongings other, int way) {
    return PARAMETER.matcher(route.path()).replaceAll(found -> {
      String kind = found.group(1);
      return kind + "/" + (foreign.contains(kind) ? other.one(kind, way) : one(kind, 0));
    });
  }

  private String one(String kind, int way) {
    List<String> names = things.get(kind);
    if (names == null) {
      throw new AssertionError("no route made a thing of the kind '" + kind
          + "': teach Belongings how a tenant gets one");
    }
    return names.get(Math.min(way, names.size() - 1));
  }

  /** An example with this tenant's own things in it, by their names. */
  String filled(String example) {
    return filled(example, this, 1);
  }

  /** An example of this tenant's that names another's things. */
  String filled(String example, Belongings other, int way) {
    return PLACEHOLDER.matcher(example).replaceAll(found -> switch (found.group(1)) {
      case "name" -> tenant.name() + "-" + COUNT.incrementAndGet();
      case "secret" -> secret;
      default -> other.one(found.group(1), way);
    });
  }

  static boolean namesThings(String example) {
    return example.replace("${name}", "").replace("${secret}", "").contains("${");
  }
}
