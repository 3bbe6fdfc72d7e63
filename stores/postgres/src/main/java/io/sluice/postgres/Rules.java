package io.sluice.postgres;

import io.sluice.Limit;
import io.sluice.Ordering;
import io.sluice.Scope;
import io.sluice.store.FlowRules;
import io.sluice.store.LaneFlow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The limits and orders of one version. A claim that knows another one takes nothing. */
final class Rules {
  /** Lanes come and go without end. */
  private static final int MOST_FLOWS = 100_000;

  private final long version;
  private final List<Limit> limits = new ArrayList<>();
  private final FlowRules rules;
  private final Map<Scope, Integer> rows = new HashMap<>();
  /** Scopes of which nothing is claimed, because what runs is yet to be counted. */
  private final Set<Scope> pending;

  private final Map<Integer, LaneFlow> flows = new ConcurrentHashMap<>();

  Rules(long version, List<LimitRow> all, Set<Scope> pending) {
    this.version = version;
    this.pending = pending;
    Map<Scope, Ordering> orders = new HashMap<>();
    for (LimitRow row : all) {
      rows.put(row.scope(), row.id());
      Optional.ofNullable(row.limit()).ifPresent(limits::add);
      if (row.ordered() != Ordering.NONE) {
        orders.put(row.scope(), row.ordered());
      }
    }
    this.rules = new FlowRules(limits, orders);
  }

  long version() {
    return version;
  }

  boolean isEmpty() {
    return rules.isEmpty();
  }

  /** What the jobs of a lane are under. */
  LaneFlow of(Catalog.KnownLane lane) {
    if (rules.isEmpty()) {
      return LaneFlow.FREE;
    }
    if (flows.size() >= MOST_FLOWS) {
      flows.clear();
    }
    return flows.computeIfAbsent(lane.id(), id -> rules.of(lane.lane()));
  }

  /** True when what runs under a limit, or in an order, is yet to be counted. Keys are counted together. */
  boolean isPending(Scope scope) {
    return pending.contains(scope)
        || (scope.kind() == Scope.Kind.KEY
            && pending.stream()
                .anyMatch(other ->
                    other.kind() == Scope.Kind.KEY && other.tenant().equals(scope.tenant())));
  }

  List<Limit> limits() {
    return limits;
  }

  Optional<Limit> limit(Scope scope) {
    return rules.limit(scope);
  }

  /** The number of the row that a limit, or an order of a queue, is held by. */
  int row(Scope scope) {
    return rows.getOrDefault(scope, 0);
  }
}
