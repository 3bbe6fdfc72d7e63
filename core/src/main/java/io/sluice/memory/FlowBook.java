package io.sluice.memory;

import io.sluice.JobState;
import io.sluice.Limit;
import io.sluice.Ordering;
import io.sluice.QueueSettings;
import io.sluice.Scope;
import io.sluice.store.Allowance;
import io.sluice.store.FlowRules;
import io.sluice.store.LaneFlow;
import io.sluice.store.LaneFlow.Bound;
import io.sluice.store.LaneFlow.Order;
import io.sluice.store.StartTimes;
import io.sluice.store.TokenBucket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Limits and orders, and how far each is used. What runs is counted for lanes that are under one, and
 * counted anew when the rules change, so that it is exact from that moment on.
 */
final class FlowBook {
  /** The limits that are not those of a queue. */
  final Map<Scope, Limit> limits = new HashMap<>();

  final Map<Scope, TokenBucket> buckets = new HashMap<>();
  private final Map<Scope, Integer> running = new HashMap<>();
  private final Map<Order, OrderEntry> orders = new HashMap<>();
  private FlowRules rules = FlowRules.NONE;

  FlowRules rules() {
    return rules;
  }

  /** Every limit, those of queues among them. */
  static List<Limit> all(Map<Scope, Limit> limits, QueueBook queues) {
    List<Limit> all = new ArrayList<>(limits.values());
    for (QueueEntry queue : queues.all()) {
      QueueSettings settings = queue.made == null ? null : queue.made.settings();
      if (settings != null && (settings.rateLimit() != null || settings.maxConcurrent() != null)) {
        all.add(new Limit(scope(settings), settings.rateLimit(), settings.maxConcurrent()));
      }
    }
    return all;
  }

  private static Scope scope(QueueSettings settings) {
    return Scope.queue(settings.tenant(), settings.name());
  }

  /** Takes the rules as they are now, and counts what is there. */
  void renew(QueueBook queues, Collection<LaneEntry> lanes, Collection<JobEntry> jobs) {
    Map<Scope, Ordering> ordered = new HashMap<>();
    for (QueueEntry queue : queues.all()) {
      QueueSettings settings = queue.made == null ? null : queue.made.settings();
      if (settings != null && settings.ordered() != Ordering.NONE) {
        ordered.put(scope(settings), settings.ordered());
      }
    }
    rules = new FlowRules(all(limits, queues), ordered);
    running.clear();
    orders.clear();
    lanes.forEach(lane -> lane.flow = rules.of(lane.lane));
    if (!rules.isEmpty()) {
      jobs.forEach(job -> count(job, 1));
    }
  }

  /** Notes that a job came into its state or leaves it; true when another may run for it. */
  boolean count(JobEntry job, int change) {
    LaneFlow flow = job.lane.flow;
    if (flow.isFree()) {
      return false;
    }
    Order order = flow.order();
    if (order != null) {
      OrderEntry entry = orders.computeIfAbsent(order, o -> new OrderEntry());
      entry.count(job, change);
      if (entry.isEmpty()) {
        orders.remove(order);
      }
    }
    if (job.state == JobState.RUNNING) {
      for (Bound bound : flow.bounds()) {
        running.merge(bound.scope(), change, (had, more) -> had + more == 0 ? null : had + more);
      }
    }
    boolean held =
        job.state == JobState.RUNNING ? flow.isCounted() : order != null && !job.state.isFinal();
    return held && change < 0;
  }

  int running(Scope scope) {
    return running.getOrDefault(scope, 0);
  }

  /** The job of an order that may start now; null when none may. */
  @Nullable
  JobEntry next(Order order) {
    OrderEntry entry = orders.get(order);
    return entry == null ? null : entry.next();
  }

  /** The order that a job runs in; null when it is free. */
  @Nullable
  OrderEntry orderOf(JobEntry job) {
    Order order = job.lane.flow.order();
    return order == null ? null : orders.get(order);
  }

  Allowance allowance(Instant now, StartTimes starts) {
    return new Allowance(now, starts, this::running, buckets::get);
  }

  /** Drops buckets that are full again. */
  void purge(Instant now) {
    buckets.values().removeIf(bucket -> !bucket.goodAt().isAfter(now));
  }
}
