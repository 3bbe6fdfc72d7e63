package io.sluice.engine;

import io.sluice.Defaults;
import io.sluice.Scope;
import io.sluice.store.SpentLimit;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The limits that gave no more when they were asked last, and how long it is no use to ask them again: the
 * time they named, the poll at the latest, or until there is news of something that has ended.
 */
final class SpentLimits {
  /** News come in swarms; one of them is answered, and then no other for this long. */
  private static final long SWARM = Duration.ofMillis(5).toNanos();

  private static final long MOST = Defaults.POLL.toNanos();

  /** Until when it is no use to ask; a limit that named no time is asked after news beyond these. */
  private record Until(long moment, @Nullable Long news) {
    boolean isOver(long now, long newsNow) {
      return now - moment >= 0 && (news == null || newsNow > news);
    }
  }

  private final Map<Object, Until> spent = new HashMap<>();

  /** Takes in what a claim was told, which was made when there was so much news. */
  void note(List<SpentLimit> limits, long now, long news) {
    for (SpentLimit limit : limits) {
      Duration retryIn = limit.retryIn();
      Until until = retryIn == null
          ? new Until(now + SWARM, news)
          // The limit may be raised meanwhile, which nobody tells.
          : new Until(now + Math.min(retryIn.toNanos(), MOST), null);
      if (limit.scope().kind() == Scope.Kind.KEY) {
        limit.lanes().forEach(lane -> spent.put(lane, until));
      } else {
        spent.put(limit.scope(), until);
      }
    }
  }

  /** Forgets the limits that may be asked again; news are also the poll, which doubts everything. */
  void refresh(long now, long news) {
    spent.values().removeIf(until -> until.isOver(now, news));
  }

  boolean holds(Place place) {
    return !spent.isEmpty()
        && (spent.containsKey(place.laneId) || place.scopes.stream().anyMatch(spent::containsKey));
  }

  /** The time until one may be asked again, given the news so far, and at most this. */
  Duration next(Duration most, long now, long news) {
    long nanos = most.toNanos();
    for (Until until : spent.values()) {
      if (until.news() == null || news > until.news()) {
        nanos = Math.min(nanos, until.moment() - now);
      }
    }
    return Duration.ofNanos(Math.max(0, nanos));
  }
}
