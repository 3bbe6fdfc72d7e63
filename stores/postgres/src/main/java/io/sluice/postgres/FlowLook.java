package io.sluice.postgres;

import io.sluice.Scope;
import io.sluice.postgres.LowWater.Place;
import io.sluice.store.LaneFlow;
import io.sluice.store.LaneFlow.Bound;
import io.sluice.store.LaneFlow.Order;
import io.sluice.store.TokenBucket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One look at limits and orders, and the hold on them: whoever made it decides alone about those that it
 * holds, until the end of the transaction. The statements go to the server together; each but the first
 * sees what others did before the rows were held.
 */
final class FlowLook {
  /** What an order has: a job that may start, or one that keeps it busy, or nothing at all. */
  record Head(boolean busy, @Nullable Place place, @Nullable UUID job) {}

  private final Rules rules;
  private final Set<Scope> wanted = new LinkedHashSet<>();
  private final Set<Scope> kept = new LinkedHashSet<>();
  private final List<Order> orders = new ArrayList<>();
  private boolean counts;

  private final Set<Scope> held = new HashSet<>();
  private final Map<Scope, TokenBucket> buckets = new HashMap<>();
  private final Map<Scope, Integer> most = new HashMap<>();
  private final Map<Integer, Integer> running = new HashMap<>();
  private final Map<Order, Head> heads = new HashMap<>();
  private Instant now = Instant.EPOCH;
  private long version;

  /** For lanes that are under these, with at most so many orders. */
  FlowLook(Rules rules, Collection<LaneFlow> flows, int maxOrders) {
    this.rules = rules;
    Set<Order> all = new LinkedHashSet<>();
    for (LaneFlow flow : flows) {
      for (Bound bound : flow.bounds()) {
        wanted.add(bound.limit().scope());
        Integer concurrency = bound.limit().concurrency();
        counts |= LargeLimits.isSmall(concurrency);
        if (bound.limit().rate() != null || LargeLimits.isLarge(concurrency)) {
          kept.add(bound.scope());
        }
      }
      Order order = flow.order();
      if (order != null) {
        wanted.add(queueOf(order));
        all.add(order);
      }
    }
    all.stream().limit(maxOrders).forEach(orders::add);
  }

  private static Scope queueOf(Order order) {
    return Scope.queue(order.tenant(), order.queue());
  }

  void on(Connection connection, Database database) throws SQLException {
    Map<Integer, Scope> limits = new HashMap<>();
    Map<Integer, Scope> queues = new HashMap<>();
    for (Scope scope : wanted) {
      (scope.kind() == Scope.Kind.QUEUE ? queues : limits).put(rules.row(scope), scope);
    }
    List<String> names = new ArrayList<>(List.of("begin-limited"));
    List<Call.Visitor> visitors = new ArrayList<>();
    add(!limits.isEmpty(), "hold-limits", names, visitors, row -> hold(limits, row));
    add(!queues.isEmpty(), "hold-queues", names, visitors, row -> hold(queues, row));
    add(true, "look-buckets", names, visitors, this::readBucket);
    add(counts, "count-running", names, visitors, this::readCount);
    add(!orders.isEmpty(), "look-orders", names, visitors, this::readHead);
    Query query =
        Query.together(names.stream().map(name -> database.sql().query(name)).toList());
    try (Call call = database.call(connection, query)) {
      if (!limits.isEmpty()) {
        call.set("limits", "int4", limits.keySet().toArray(Integer[]::new));
      }
      if (!queues.isEmpty()) {
        call.set("queues", "int4", queues.keySet().toArray(Integer[]::new));
      }
      call.set("scopes", "text", kept.stream().map(FlowLook::text).toArray(String[]::new));
      if (!orders.isEmpty()) {
        call.column("order_queues", "int4", orders, o -> rules.row(queueOf(o)), Integer[]::new)
            .column("order_keys", "text", orders, Order::limitKey, String[]::new);
      }
      call.each(visitors);
    }
  }

  private static void add(
      boolean needed,
      String name,
      List<String> names,
      List<Call.Visitor> visitors,
      Call.Visitor visitor) {
    if (needed) {
      names.add(name);
      visitors.add(visitor);
    }
  }

  private void hold(Map<Integer, Scope> rows, ResultSet row) throws SQLException {
    Scope scope = rows.get(row.getInt("id"));
    if (scope != null) {
      held.add(scope);
    }
  }

  private void readBucket(ResultSet row) throws SQLException {
    now = Times.read(row, "now");
    version = row.getLong("version");
    String text = row.getString("scope");
    if (text != null) {
      Scope scope = scope(text);
      buckets.put(scope, bucket(row));
      int jobs = row.getInt("most_running");
      if (!row.wasNull()) {
        most.put(scope, jobs);
      }
    }
  }

  private void readCount(ResultSet row) throws SQLException {
    running.put(row.getInt("lane"), row.getInt("jobs"));
  }

  private void readHead(ResultSet row) throws SQLException {
    UUID job = row.getObject("id", UUID.class);
    Place place = job == null ? null : new Place(row.getInt("lane"), row.getInt("priority"));
    heads.put(orders.get(row.getInt("n") - 1), new Head(row.getBoolean("busy"), place, job));
  }

  static TokenBucket bucket(ResultSet row) throws SQLException {
    return new TokenBucket(
        Times.read(row, "good_at"),
        Duration.ofNanos(row.getLong("interval_ns")),
        Times.read(row, "as_of"));
  }

  /** How a bucket is named in its table; a name of a tenant has no colon. */
  static String text(Scope scope) {
    return scope.kind() + ":" + scope.tenant() + ":" + scope.name();
  }

  private static Scope scope(String text) {
    String[] parts = text.split(":", 3);
    return new Scope(Scope.Kind.valueOf(parts[0]), parts[1], parts[2]);
  }

  /** False when the rules have changed since they were read. */
  boolean isCurrent() {
    return version == rules.version();
  }

  Instant now() {
    return now;
  }

  /** The scopes of limits and orders that somebody else is deciding about, of a lane. */
  List<Scope> missing(LaneFlow flow) {
    List<Scope> missing = new ArrayList<>();
    for (Bound bound : flow.bounds()) {
      Scope scope = bound.limit().scope();
      if (!held.contains(scope) || rules.isPending(scope)) {
        missing.add(bound.scope());
      }
    }
    Order order = flow.order();
    if (order != null
        && (!held.contains(queueOf(order))
            || !heads.containsKey(order)
            || rules.isPending(queueOf(order)))) {
      missing.add(order.scope());
    }
    return missing;
  }

  @Nullable
  TokenBucket bucket(Scope scope) {
    return buckets.get(scope);
  }

  /** The most that may run under a large limit; null when nobody has counted under these rules. */
  @Nullable
  Integer mostRunning(Scope scope) {
    return most.get(scope);
  }

  /** How many jobs run by the number of their lane, of lanes that are counted. */
  Map<Integer, Integer> running() {
    return running;
  }

  /** What the order of a lane has; nothing where it is free or was not looked at. */
  @Nullable
  Head head(@Nullable Order order) {
    return order == null ? null : heads.get(order);
  }
}
