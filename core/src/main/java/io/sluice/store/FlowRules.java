package io.sluice.store;

import io.sluice.Lane;
import io.sluice.Limit;
import io.sluice.Ordering;
import io.sluice.Scope;
import io.sluice.store.LaneFlow.Bound;
import io.sluice.store.LaneFlow.Order;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** All limits and orders of a store at one moment, and which of them a lane is under. */
public final class FlowRules {
  public static final FlowRules NONE = new FlowRules(List.of(), Map.of());

  private final Map<Scope, Limit> limits = new HashMap<>();
  /** The patterns of each tenant, the longest first. */
  private final Map<String, List<Limit>> patterns = new HashMap<>();

  private final Map<Scope, Ordering> orders;

  /** With the orders of queues, by the scope of each. */
  public FlowRules(Collection<Limit> limits, Map<Scope, Ordering> orders) {
    this.orders = Map.copyOf(orders);
    for (Limit limit : limits) {
      Scope scope = limit.scope();
      this.limits.put(scope, limit);
      if (scope.isPattern()) {
        patterns.computeIfAbsent(scope.tenant(), t -> new ArrayList<>()).add(limit);
      }
    }
    patterns
        .values()
        .forEach(list -> list.sort(
            Comparator.comparingInt((Limit limit) -> limit.scope().name().length())
                .reversed()));
  }

  public boolean isEmpty() {
    return limits.isEmpty() && orders.isEmpty();
  }

  /** What the jobs of a lane are under. */
  public LaneFlow of(Lane lane) {
    if (isEmpty()) {
      return LaneFlow.FREE;
    }
    List<Bound> bounds = new ArrayList<>();
    for (Scope scope : Scope.of(lane)) {
      limit(scope).ifPresent(limit -> bounds.add(new Bound(scope, limit)));
    }
    Order order = order(lane);
    return bounds.isEmpty() && order == null ? LaneFlow.FREE : new LaneFlow(bounds, order);
  }

  /** The limit that is in force for a scope; for a limit key without its own, that of a pattern. */
  public Optional<Limit> limit(Scope scope) {
    Limit own = limits.get(scope);
    if (own != null || scope.kind() != Scope.Kind.KEY || scope.isPattern()) {
      return Optional.ofNullable(own);
    }
    return patterns.getOrDefault(scope.tenant(), List.of()).stream()
        .filter(limit -> limit.scope().coversKey(scope.name()))
        .findFirst();
  }

  private @Nullable Order order(Lane lane) {
    Ordering ordering = orders.get(Scope.queue(lane.tenant(), lane.queue()));
    if (ordering == Ordering.QUEUE) {
      return new Order(lane.tenant(), lane.queue(), "");
    }
    return ordering == Ordering.KEY && !lane.limitKey().isEmpty()
        ? new Order(lane.tenant(), lane.queue(), lane.limitKey())
        : null;
  }
}
