package io.sluice.postgres;

import io.sluice.Scope;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What jobs under a limited rate cost lately, on the average. The cost of a job is known only once it is
 * taken: this says how many to take. It decides nothing else.
 */
final class Costs {
  private static final int MOST_SCOPES = 10_000;
  private static final double WEIGHT = 0.1;

  private final Map<Scope, Double> averages = new ConcurrentHashMap<>();

  double of(Scope scope) {
    return averages.getOrDefault(scope, 1.0);
  }

  /** True while no job cost anything but 1: then there is nothing to note of those that do. */
  boolean isPlain(Scope scope) {
    return !averages.containsKey(scope);
  }

  void note(Scope scope, int cost) {
    if (cost != 1 || averages.containsKey(scope)) {
      if (averages.size() >= MOST_SCOPES) {
        averages.clear();
      }
      averages.merge(scope, (double) cost, (before, now) -> before + WEIGHT * (now - before));
    }
  }
}
