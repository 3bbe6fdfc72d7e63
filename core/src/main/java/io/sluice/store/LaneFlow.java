package io.sluice.store;

import io.sluice.Limit;
import io.sluice.Scope;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What holds the jobs of a lane back: every limit that covers it, and the order that they run in, if any. */
public record LaneFlow(List<Bound> bounds, @Nullable Order order) {
  public static final LaneFlow FREE = new LaneFlow(List.of(), null);

  /** A limit as it binds a lane: {@code scope} is that of the limit, or of one key that its pattern fits. */
  public record Bound(Scope scope, Limit limit) {}

  /** Jobs of a queue that run one after the other: all of them, or those of a limit key. */
  public record Order(String tenant, String queue, String limitKey) {
    public Scope scope() {
      return limitKey.isEmpty() ? Scope.queue(tenant, queue) : Scope.key(tenant, limitKey);
    }
  }

  public LaneFlow {
    bounds = List.copyOf(bounds);
  }

  public boolean isFree() {
    return bounds.isEmpty() && order == null;
  }

  /** True when it matters how many of the lane's jobs run. */
  public boolean isCounted() {
    return order != null || bounds.stream().anyMatch(bound -> bound.limit().concurrency() != null);
  }
}
