package io.sluice.postgres;

import io.sluice.Scope;
import io.sluice.store.LaneFlow;
import io.sluice.store.LaneFlow.Bound;
import io.sluice.store.SpentLimit;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The large limits to what runs at once that one claim is under. Of each the most that may run is known:
 * claims add what they take, and jobs that end take nothing away, so it is never too low. What runs is
 * counted only where it leaves too little, and by then many jobs were taken since the last time.
 *
 * <p>Jobs under large limits alone are in no index of what runs, and nobody is told when one ends. Lanes
 * that a full one holds back are therefore looked at again after a short time of their own.
 */
final class LargeLimits {
  /**
   * The least concurrency that is large. An entry in an index for every claim costs a sixth of the
   * throughput, which a count of this many rows now and then does not; and of a limit that is far
   * smaller, what is left is used up after a few claims, so that it would be counted all the time.
   */
  private static final int LARGE = 10_000;

  private static final Duration AGAIN = Duration.ofMillis(25);

  private final Map<Scope, Integer> concurrency = new HashMap<>();
  private final Map<Scope, Long> wanted = new HashMap<>();
  private final Map<Scope, Integer> most = new HashMap<>();
  private final Set<Scope> granted = new HashSet<>();

  static boolean isSmall(@Nullable Integer concurrency) {
    return concurrency != null && concurrency < LARGE;
  }

  static boolean isLarge(@Nullable Integer concurrency) {
    return concurrency != null && concurrency >= LARGE;
  }

  /** True when the jobs of a lane are counted by the index of those that run. */
  static boolean isCounted(LaneFlow flow) {
    return flow.order() != null
        || flow.bounds().stream().anyMatch(bound -> isSmall(bound.limit().concurrency()));
  }

  /** Adds the limits of a lane of which so many jobs are wanted; the claim must hold all of them. */
  void want(LaneFlow flow, int jobs, FlowLook look) {
    for (Bound bound : flow.bounds()) {
      Integer limit = bound.limit().concurrency();
      if (limit != null && isLarge(limit)) {
        Scope scope = bound.scope();
        concurrency.put(scope, limit);
        wanted.merge(scope, (long) jobs, Long::sum);
        Integer known = look.mostRunning(scope);
        if (known != null) {
          most.put(scope, known);
        }
      }
    }
  }

  /** True when what is known may not leave as many jobs as are wanted, of which there are at most these. */
  boolean mustCount(int max) {
    return concurrency.entrySet().stream().anyMatch(entry -> {
      Integer known = most.get(entry.getKey());
      long more = Math.min(max, wanted.getOrDefault(entry.getKey(), 0L));
      return known == null || more > entry.getValue() - known;
    });
  }

  /** Takes in what runs by scope, all of it, as seen while the limits were held. */
  void count(Map<Scope, Integer> running) {
    for (Scope scope : concurrency.keySet()) {
      most.put(scope, running.getOrDefault(scope, 0));
    }
  }

  /** Adds jobs that are handed out. */
  void grant(LaneFlow flow, int jobs) {
    for (Bound bound : flow.bounds()) {
      if (most.computeIfPresent(bound.scope(), (scope, before) -> before + jobs) != null) {
        granted.add(bound.scope());
      }
    }
  }

  /** The most that may run, by scope. */
  Map<Scope, Integer> most() {
    return most;
  }

  /**
   * The scopes under which jobs were handed out. Only of these the number is kept: whoever has taken
   * nothing may know rules of before, and would write over what others keep under those of now.
   */
  Set<Scope> granted() {
    return granted;
  }

  /** Gives the limits that are full a time, where others wait for the end of a job. */
  List<SpentLimit> timed(List<SpentLimit> spent) {
    return spent.stream()
        .map(limit -> limit.retryIn() == null && isFull(limit.scope())
            ? new SpentLimit(limit.scope(), limit.lanes(), AGAIN)
            : limit)
        .toList();
  }

  private boolean isFull(Scope scope) {
    Integer jobs = most.get(scope);
    return jobs != null && jobs >= concurrency.getOrDefault(scope, Integer.MAX_VALUE);
  }
}
