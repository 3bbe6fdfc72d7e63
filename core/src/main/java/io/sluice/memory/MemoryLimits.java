package io.sluice.memory;

import io.sluice.JobState;
import io.sluice.Limit;
import io.sluice.LimitState;
import io.sluice.Names;
import io.sluice.QueueSettings;
import io.sluice.RateLimit;
import io.sluice.Scope;
import io.sluice.store.Limits;
import io.sluice.store.TokenBucket;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limits of a memory store. */
final class MemoryLimits implements Limits {
  private static final Comparator<Limit> BY_SCOPE = Comparator.comparing(
      Limit::scope,
      Comparator.comparing((Scope scope) -> scope.tenant())
          .thenComparing(Scope::kind)
          .thenComparing(Scope::name));

  private final Access access;

  MemoryLimits(Access access) {
    this.access = access;
  }

  @Override
  public void save(Limit limit) {
    access.with((shelf, now) -> {
      Scope scope = limit.scope();
      if (scope.kind() == Scope.Kind.QUEUE) {
        QueueEntry queue = queue(shelf, scope, now);
        if (queue == null || queue.made == null) {
          throw Names.unknownQueue(scope.tenant(), scope.name());
        }
        change(shelf, queue.made.settings(), limit.rate(), limit.concurrency(), now);
      } else {
        shelf.flow.limits.put(scope, limit);
      }
      shelf.renewRules();
      shelf.hints().queues();
      return true;
    });
  }

  @Override
  public boolean delete(Scope scope) {
    return access.with((shelf, now) -> {
      if (!remove(shelf, scope, now)) {
        return false;
      }
      shelf.renewRules();
      shelf.hints().queues();
      return true;
    });
  }

  private static boolean remove(Shelf shelf, Scope scope, Instant now) {
    if (scope.kind() != Scope.Kind.QUEUE) {
      return shelf.flow.limits.remove(scope) != null;
    }
    QueueEntry queue = queue(shelf, scope, now);
    QueueSettings settings = queue == null || queue.made == null ? null : queue.made.settings();
    if (settings == null || (settings.rateLimit() == null && settings.maxConcurrent() == null)) {
      return false;
    }
    change(shelf, settings, null, null, now);
    return true;
  }

  private static @Nullable QueueEntry queue(Shelf shelf, Scope scope, Instant now) {
    return shelf.queues.find(new QueueName(scope.tenant(), scope.name()), now);
  }

  private static void change(
      Shelf shelf,
      QueueSettings settings,
      @Nullable RateLimit rate,
      @Nullable Integer concurrency,
      Instant now) {
    shelf.queues.save(settings.withRateLimit(rate).withMaxConcurrent(concurrency), now);
  }

  @Override
  public List<Limit> list(@Nullable String tenant) {
    return access.with((shelf, now) -> FlowBook.all(shelf.flow.limits, shelf.queues).stream()
        .filter(limit -> tenant == null || limit.scope().tenant().equals(tenant))
        .sorted(BY_SCOPE)
        .toList());
  }

  @Override
  public Map<Scope, LimitState> states(Collection<Scope> scopes) {
    return access.with((shelf, now) -> {
      Map<Scope, LimitState> states = new LinkedHashMap<>();
      for (Scope scope : scopes) {
        shelf
            .flow
            .rules()
            .limit(scope)
            .ifPresent(limit -> states.put(scope, state(shelf, scope, limit, now)));
      }
      return states;
    });
  }

  private static LimitState state(Shelf shelf, Scope scope, Limit limit, Instant now) {
    Map<String, Integer> holders = new HashMap<>();
    long waiting = 0;
    for (LaneEntry lane : shelf.lanes.all()) {
      if (isUnder(lane, scope, limit)) {
        waiting += lane.count(JobState.PENDING);
      }
    }
    for (JobEntry job : shelf.running()) {
      if (job.hold != null && isUnder(job.lane, scope, limit)) {
        holders.merge(job.hold.worker().spec.name(), 1, Integer::sum);
      }
    }
    int running = holders.values().stream().mapToInt(Integer::intValue).sum();
    RateLimit rate = scope.isPattern() ? null : limit.rate();
    if (rate == null) {
      return new LimitState(limit, running, holders, null, null, null, waiting);
    }
    TokenBucket kept = shelf.flow.buckets.get(scope);
    TokenBucket bucket = kept == null ? TokenBucket.full(rate, now) : kept.under(rate, now);
    return new LimitState(
        limit,
        running,
        holders,
        bucket.spent(now),
        bucket.start(rate, 1, now),
        bucket.goodAt().isAfter(now) ? bucket.goodAt() : now,
        waiting);
  }

  private static boolean isUnder(LaneEntry lane, Scope scope, Limit limit) {
    return lane.flow.bounds().stream()
        .anyMatch(bound ->
            bound.limit().equals(limit) && (scope.isPattern() || bound.scope().equals(scope)));
  }
}
