package io.sluice.postgres;

import io.sluice.Limit;
import io.sluice.LimitState;
import io.sluice.Names;
import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.store.LaneFlow;
import io.sluice.store.LaneFlow.Bound;
import io.sluice.store.Limits;
import io.sluice.store.TokenBucket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Limits: those of queues are in the queues' own rows, the others have rows of their own. */
final class PostgresLimits implements Limits {
  /** As many waiting jobs are counted at most: more are as good as that many to a person. */
  private static final int MOST_WAITING = 100_000;

  private static final Comparator<Limit> BY_SCOPE = Comparator.comparing(
      Limit::scope,
      Comparator.comparing((Scope scope) -> scope.tenant())
          .thenComparing(Scope::kind)
          .thenComparing(Scope::name));

  private record Bucket(Instant now, Optional<TokenBucket> kept) {}

  /** Jobs that one worker runs in one lane, with the limits of that lane. */
  private record Running(LaneFlow lane, @Nullable String worker, int jobs) {}

  private final Database database;
  private final Catalog catalog;
  private final PostgresQueues queues;
  private final Rulings rulings;

  PostgresLimits(Database database, Catalog catalog, PostgresQueues queues, Rulings rulings) {
    this.database = database;
    this.catalog = catalog;
    this.queues = queues;
    this.rulings = rulings;
  }

  @Override
  public void save(Limit limit) {
    Scope scope = limit.scope();
    if (scope.kind() == Scope.Kind.QUEUE) {
      boolean found = queues.change(
          scope.tenant(),
          scope.name(),
          queue -> queue.withRateLimit(limit.rate()).withMaxConcurrent(limit.concurrency()));
      if (!found) {
        throw Names.unknownQueue(scope.tenant(), scope.name());
      }
      return;
    }
    rulings.change(connection -> {
      Integer before = concurrency(connection, scope).orElse(null);
      write(connection, limit);
      if (isKey(scope) || Rulings.mustCount(before, limit.concurrency())) {
        rulings.renewAndCount(connection, scope);
      } else {
        rulings.renew(connection);
      }
      return true;
    });
    rulings.announce();
  }

  /** Which limit a key is under changes with the limits of other keys and patterns. */
  private static boolean isKey(Scope scope) {
    return scope.kind() == Scope.Kind.KEY;
  }

  private Optional<Integer> concurrency(Connection connection, Scope scope) throws SQLException {
    try (Call call = named(connection, "hold-limit", scope)) {
      return call
          .list(row -> Optional.ofNullable(row.getObject("concurrency", Integer.class)))
          .stream()
          .flatMap(Optional::stream)
          .findFirst();
    }
  }

  private void write(Connection connection, Limit limit) throws SQLException {
    try (Call call = named(connection, "save-limit", limit.scope())) {
      LimitRow.write(call, limit.rate())
          .setOrNull("concurrency", limit.concurrency())
          .update();
    }
  }

  private Call named(Connection connection, String query, Scope scope) throws SQLException {
    return database
        .call(connection, query)
        .set("kind", scope.kind().name())
        .set("tenant", scope.tenant())
        .set("name", scope.name());
  }

  @Override
  public boolean delete(Scope scope) {
    if (scope.kind() == Scope.Kind.QUEUE) {
      return catalog.rulesNow().limit(scope).isPresent()
          && queues.change(
              scope.tenant(),
              scope.name(),
              queue -> queue.withRateLimit(null).withMaxConcurrent(null));
    }
    boolean deleted = rulings.change(connection -> {
      int gone;
      try (Call call = named(connection, "delete-limit", scope)) {
        gone = call.update();
      }
      if (gone > 0 && isKey(scope)) {
        rulings.renewAndCount(connection, scope);
      } else if (gone > 0) {
        rulings.renew(connection);
      }
      return gone > 0;
    });
    rulings.announce();
    return deleted;
  }

  @Override
  public List<Limit> list(@Nullable String tenant) {
    return catalog.rulesNow().limits().stream()
        .filter(limit -> tenant == null || limit.scope().tenant().equals(tenant))
        .sorted(BY_SCOPE)
        .toList();
  }

  @Override
  public Map<Scope, LimitState> states(Collection<Scope> scopes) {
    Rules rules = catalog.rulesNow();
    Map<Scope, Limit> limited = new LinkedHashMap<>();
    scopes.forEach(scope -> rules.limit(scope).ifPresent(limit -> limited.put(scope, limit)));
    if (limited.isEmpty()) {
      return Map.of();
    }
    return database.run(connection -> {
      List<Running> running = running(connection, rules);
      Map<Scope, LimitState> states = new LinkedHashMap<>();
      for (var one : limited.entrySet()) {
        Scope scope = one.getKey();
        Predicate<LaneFlow> covered =
            lane -> lane.bounds().stream().anyMatch(b -> isUnder(b, scope, one.getValue()));
        List<Running> own =
            running.stream().filter(some -> covered.test(some.lane())).toList();
        long waiting = waiting(connection, scope, lane -> covered.test(rules.of(lane)));
        states.put(scope, state(connection, scope, one.getValue(), own, waiting));
      }
      return states;
    });
  }

  private LimitState state(
      Connection connection, Scope scope, Limit limit, List<Running> own, long waiting)
      throws SQLException {
    Map<String, Integer> holders = new HashMap<>();
    int running = 0;
    for (Running some : own) {
      running += some.jobs();
      String worker = some.worker();
      if (worker != null) {
        holders.merge(worker, some.jobs(), Integer::sum);
      }
    }
    RateLimit rate = scope.isPattern() ? null : limit.rate();
    if (rate == null) {
      return new LimitState(limit, running, holders, null, null, null, waiting);
    }
    Bucket found = bucket(connection, scope);
    Instant now = found.now();
    TokenBucket bucket = found.kept().orElse(TokenBucket.full(rate, now)).under(rate, now);
    return new LimitState(
        limit,
        running,
        holders,
        bucket.spent(now),
        bucket.start(rate, 1, now),
        bucket.goodAt().isAfter(now) ? bucket.goodAt() : now,
        waiting);
  }

  private static boolean isUnder(Bound bound, Scope scope, Limit limit) {
    return bound.limit().equals(limit) && (scope.isPattern() || bound.scope().equals(scope));
  }

  /** What runs in lanes that are still there. */
  private List<Running> running(Connection connection, Rules rules) throws SQLException {
    record Row(int lane, @Nullable String worker, int jobs) {}
    List<Row> rows;
    try (Call call = database.call(connection, "running-by-lane")) {
      rows =
          call.list(row -> new Row(row.getInt("lane"), row.getString("name"), row.getInt("jobs")));
    }
    var lanes = catalog.lanes(connection, rows.stream().map(Row::lane).toList());
    List<Running> running = new ArrayList<>();
    for (Row row : rows) {
      Catalog.KnownLane lane = lanes.get(row.lane());
      if (lane != null) {
        running.add(new Running(rules.of(lane), row.worker(), row.jobs()));
      }
    }
    return running;
  }

  private long waiting(Connection connection, Scope scope, Predicate<Catalog.KnownLane> covered)
      throws SQLException {
    List<Integer> ids = new ArrayList<>();
    try (Call call = database.call(connection, "lanes-of")) {
      call.set("tenant", scope.kind() == Scope.Kind.GLOBAL ? null : scope.tenant())
          .set("queue", nameOf(scope, Scope.Kind.QUEUE))
          .set("type", nameOf(scope, Scope.Kind.TYPE))
          .set("url_group", nameOf(scope, Scope.Kind.URL_GROUP))
          .set("limit_key", scope.isPattern() ? null : nameOf(scope, Scope.Kind.KEY))
          .each(row -> ids.add(row.getInt("id")));
    }
    Integer[] lanes = catalog.lanes(connection, ids).values().stream()
        .filter(covered)
        .map(Catalog.KnownLane::id)
        .toArray(Integer[]::new);
    try (Call call = database.call(connection, "count-ready")) {
      return call.set("lanes", "int4", lanes)
          .set("max", MOST_WAITING)
          .one(row -> row.getLong("jobs"));
    }
  }

  private static @Nullable String nameOf(Scope scope, Scope.Kind kind) {
    return scope.kind() == kind ? scope.name() : null;
  }

  private Bucket bucket(Connection connection, Scope scope) throws SQLException {
    try (Call call = database.call(connection, "look-buckets")) {
      return call.set("scopes", "text", new String[] {FlowLook.text(scope)})
          .one(row -> new Bucket(
              Times.read(row, "now"),
              row.getString("scope") == null
                  ? Optional.empty()
                  : Optional.of(FlowLook.bucket(row))));
    }
  }
}
