package io.sluice.postgres;

import io.sluice.Uuid7;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Where the ready jobs of each lane and priority begin, as far as this process knows, so that neither
 * a look nor a claim walks over the index entries of rows that are gone. Work also comes in behind a
 * mark (retries, late commits, clocks that differ): what this process knows of lowers the mark, the
 * rest is found by looks from the very start (see {@link FullLooks}). A mark stands a little before the
 * job that it was made from, which covers the commits that overtake each other all the time.
 */
final class LowWater {
  static final UUID START = new UUID(0, 0);

  private static final int TIME_SHIFT = 16;
  private static final long SLACK_MILLIS = Duration.ofMillis(100).toMillis();
  private static final int MOST_PLACES = 10_000;

  /** The jobs of one lane and priority. */
  record Place(int lane, int priority) {}

  /** Where jobs begin, and the top: where they began before something came in behind. */
  record Mark(UUID id, UUID top) {
    private Mark notBeyond(UUID other) {
      return isBefore(other, id) ? new Mark(other, top) : this;
    }
  }

  private static final Comparator<Place> ORDER =
      Comparator.comparingInt(Place::lane).thenComparingInt(Place::priority);

  private final ConcurrentSkipListMap<Place, Mark> marks = new ConcurrentSkipListMap<>(ORDER);
  /** The size is asked at every new mark, and a sorted map counts to know it. */
  private final AtomicInteger size = new AtomicInteger();

  private final AtomicReference<UUID> highest = new AtomicReference<>(START);

  @Nullable
  Mark of(Place place) {
    return marks.get(place);
  }

  /** Where to begin at a mark, or without one. */
  static UUID idOf(@Nullable Mark mark) {
    return mark == null ? START : mark.id();
  }

  /** The marks of these places as they are now, where there are any. */
  Map<Place, Mark> of(List<Place> places) {
    Map<Place, Mark> found = new HashMap<>();
    for (Place place : places) {
      Mark mark = marks.get(place);
      if (mark != null) {
        found.put(place, mark);
      }
    }
    return found;
  }

  /** The marks of so many lanes after this one, as they are now. */
  NavigableMap<Place, Mark> window(int afterLane, int lanes) {
    NavigableMap<Place, Mark> window = new TreeMap<>(ORDER);
    int seen = 0;
    int last = afterLane;
    for (Map.Entry<Place, Mark> entry : marks.tailMap(beyond(afterLane)).entrySet()) {
      int lane = entry.getKey().lane();
      if (lane != last && ++seen > lanes) {
        return window;
      }
      last = lane;
      window.put(entry.getKey(), entry.getValue());
    }
    return window;
  }

  /** The next lane after a window of marks that has one, if there is any. */
  int laneAfter(NavigableMap<Place, Mark> window) {
    Place next =
        window.isEmpty() ? null : marks.ceilingKey(beyond(window.lastKey().lane()));
    return next == null ? Integer.MAX_VALUE : next.lane();
  }

  private static Place beyond(int lane) {
    return new Place(lane, Integer.MAX_VALUE);
  }

  /**
   * Notes that a look or a claim that began at this mark saw nothing before this job. A mark that was
   * changed meanwhile is left as it is.
   */
  void advance(Place place, @Nullable Mark from, UUID job) {
    UUID id = before(job);
    replace(place, from, new Mark(id, from == null ? id : later(from.top(), id)));
  }

  /** Notes that nothing is left from this mark on, after a claim that took this job last, if any. */
  void emptied(Place place, @Nullable Mark from, @Nullable UUID last) {
    UUID id = later(from == null ? START : from.top(), last == null ? START : before(last));
    if (!id.equals(START)) {
      replace(place, from, new Mark(id, id));
    }
  }

  private void replace(Place place, @Nullable Mark from, Mark to) {
    if (from != null) {
      marks.replace(place, from, to);
    } else if (size.get() < MOST_PLACES && marks.putIfAbsent(place, to) == null) {
      size.incrementAndGet();
    }
    highest.accumulateAndGet(to.top(), LowWater::later);
  }

  /** Notes that there is a job in a place: its mark is not beyond it. */
  void found(Place place, UUID job) {
    UUID id = before(job);
    marks.computeIfPresent(place, (p, mark) -> mark.notBeyond(id));
  }

  /** Notes that a job came in, nobody says where: no mark is beyond it. */
  void cameIn(UUID job) {
    if (isBefore(job, highest.get())) {
      UUID id = before(job);
      marks.replaceAll((place, mark) -> mark.notBeyond(id));
    }
  }

  /** The greatest id that is less than this one. */
  static UUID justBefore(UUID job) {
    long high = job.getMostSignificantBits();
    long low = job.getLeastSignificantBits();
    return new UUID(low == 0 ? high - 1 : high, low - 1);
  }

  private static UUID before(UUID job) {
    long millis = job.getMostSignificantBits() >>> TIME_SHIFT;
    return new UUID(Math.max(0, millis - SLACK_MILLIS) << TIME_SHIFT, 0);
  }

  private static UUID later(UUID one, UUID other) {
    return isBefore(one, other) ? other : one;
  }

  static boolean isBefore(UUID one, UUID other) {
    return Uuid7.ORDER.compare(one, other) < 0;
  }
}
