package io.sluice.engine;

import io.sluice.Defaults;
import io.sluice.Scope;
import io.sluice.store.SpentLimit;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The limits that gave no more when they were asked last, and how long it is no use to ask them again: the
 * time they named, the poll at the latest, or until there is news of something that has ended. However many
 * there are, a round costs as much as those of them that may be asked again.
 */
final class SpentLimits {
  /** News come in swarms; one of them is answered, and then no other for this long. */
  private static final long SWARM = Duration.ofMillis(5).toNanos();

  private static final long MOST = Defaults.POLL.toNanos();

  /** Until when it is no use to ask; a limit that named no time is asked after news beyond these. */
  private static final class Until {
    private final Object key;
    private final long moment;
    private final @Nullable Long news;
    /** Before which round it is not asked. */
    private final long round;

    Until(Object key, long moment, @Nullable Long news, long round) {
      this.key = key;
      this.moment = moment;
      this.news = news;
      this.round = round;
    }

    boolean isOver(long now, long newsNow, long roundNow) {
      return now - moment >= 0 && (news == null || newsNow > news) && roundNow >= round;
    }
  }

  /** By the scope of a limit, or the number of a lane where the limit is on a key. */
  private final Map<Object, Until> spent = new HashMap<>();
  /** Those that named a time, the first to be asked again first. */
  private final Queue<Until> timed =
      new PriorityQueue<>((one, other) -> Long.signum(one.moment - other.moment));
  /** Those that wait for news, which they do in the order in which they came. */
  private final Queue<Until> forNews = new ArrayDeque<>();

  private long rounds;

  /**
   * Takes in what a claim was told, which gave something to these places and was made when there was so much news.
   * A limit that gave nothing at all is left out of the next round whatever the news: else its lanes, whose turn
   * it still is, would be all that is ever asked where there is news before every round.
   */
  void note(List<SpentLimit> limits, Collection<Place> served, long now, long news) {
    Set<Integer> lanesServed = new HashSet<>();
    served.forEach(place -> lanesServed.add(place.laneId));
    for (SpentLimit limit : limits) {
      if (limit.scope().kind() == Scope.Kind.KEY) {
        for (Integer lane : limit.lanes()) {
          note(until(lane, limit, now, news, lanesServed.contains(lane)));
        }
      } else {
        boolean gave = served.stream().anyMatch(place -> limit.scope().covers(place.lane));
        note(until(limit.scope(), limit, now, news, gave));
      }
    }
  }

  /** Takes in of which lanes jobs were left because of their size: they are asked again when something has ended. */
  void noteLeft(Set<Integer> lanes, long now, long news) {
    lanes.forEach(lane -> note(new Until(lane, now + SWARM, news, 0)));
  }

  private Until until(Object key, SpentLimit limit, long now, long news, boolean gave) {
    Duration retryIn = limit.retryIn();
    return retryIn == null
        ? new Until(key, now + SWARM, news, gave ? rounds : rounds + 2)
        // The limit may be raised meanwhile, which nobody tells.
        : new Until(key, now + Math.min(retryIn.toNanos(), MOST), null, 0);
  }

  private void note(Until until) {
    spent.put(until.key, until);
    (until.news == null ? timed : forNews).add(until);
  }

  /** Begins a round: forgets the limits that may be asked again; news are also the poll, which doubts everything. */
  void refresh(long now, long news) {
    rounds++;
    refresh(timed, now, news);
    refresh(forNews, now, news);
  }

  private void refresh(Queue<Until> some, long now, long news) {
    for (Until first = some.peek(); first != null; first = some.peek()) {
      boolean current = spent.get(first.key) == first;
      if (current && !first.isOver(now, news, rounds)) {
        return;
      }
      some.remove();
      if (current) {
        spent.remove(first.key);
      }
    }
  }

  boolean holds(Place place) {
    return holder(place) != null;
  }

  /** What holds a place: the scope of a limit, or the lane's number where it is one on its key. */
  @Nullable
  Object holder(Place place) {
    if (spent.isEmpty()) {
      return null;
    }
    for (Scope scope : place.scopes) {
      if (spent.containsKey(scope)) {
        return scope;
      }
    }
    return spent.containsKey(place.laneId) ? (Object) place.laneId : null;
  }

  /** The time until one may be asked again, given the news so far, and at most this. */
  Duration next(Duration most, long now, long news) {
    long nanos = most.toNanos();
    Until first = timed.peek();
    if (first != null) {
      nanos = Math.min(nanos, first.moment - now);
    }
    first = forNews.peek();
    if (first != null && first.news != null && news > first.news) {
      nanos = Math.min(nanos, first.moment - now);
    }
    return Duration.ofNanos(Math.max(0, nanos));
  }
}
