package io.sluice.postgres;

import io.sluice.Limit;
import io.sluice.LimitState;
import io.sluice.Names;
import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.store.LaneFlow.Bound;
import io.sluice.store.Limits;
import io.sluice.store.TokenBucket;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
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

  private record Running(int lane, @Nullable String worker, int jobs) {}

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
  public Optional<LimitState> state(Scope scope) {
    Rules rules = catalog.rulesNow();
    return rules
        .limit(scope)
        .map(limit -> database.run(connection -> state(connection, rules, scope, limit)));
  }

  private LimitState state(Connection connection, Rules rules, Scope scope, Limit limit)
      throws SQLException {
    Predicate<Catalog.KnownLane> covered =
        lane -> rules.of(lane).bounds().stream().anyMatch(bound -> isUnder(bound, scope, limit));
    Map<String, Integer> holders = new HashMap<>();
    int running = 0;
    List<Running> all = running(connection);
    var lanes = catalog.lanes(connection, all.stream().map(Running::lane).toList());
    for (Running some : all) {
      Catalog.KnownLane lane = lanes.get(some.lane());
      if (lane != null && covered.test(lane)) {
        running += some.jobs();
        String worker = some.worker();
        if (worker != null) {
          holders.merge(worker, some.jobs(), Integer::sum);
        }
      }
    }
    long waiting = waiting(connection, scope, covered);
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

  private List<Running> running(Connection connection) throws SQLException {
    try (Call call = database.call(connection, "running-by-lane")) {
      return call.list(
          row -> new Running(row.getInt("lane"), row.getString("name"), row.getInt("jobs")));
    }
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
