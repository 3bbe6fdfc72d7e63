package io.sluice.engine;

import io.sluice.Lane;
import io.sluice.Scope;
import io.sluice.store.JobStore;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneView;
import io.sluice.store.Look;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The places that have ready work, as far as is known here. One look takes in a window of the lanes that
 * have some, and the windows go round, so that it costs the same however many there are; while they all
 * fit into one, what the book says is as new as the last look. Lanes that ran empty lately and lanes in which
 * work came in are looked at every time. When the windows have gone round once and bring nothing new, they take a
 * tenth of the time at most: then the lanes of which nothing runs cost those that run next to nothing.
 *
 * <p>What can never run here is not kept, and what may not run now stands in no line.
 */
final class LaneBook {
  static final int WINDOW = 128;
  /** Windows take this fraction of the time. */
  private static final int PARTS = 10;

  /** However long one of them took: it may have been a stumble. */
  private static final long LONGEST_REST = Duration.ofSeconds(1).toNanos();

  private static final int MOST_SCOPES = 10_000;
  private static final Duration LONG = Duration.ofDays(1);

  private final Turns turns;
  private final Predicate<Lane> handled;
  private final Function<Place, @Nullable Object> holder;
  private final NavigableMap<Integer, Map<Integer, Place>> lanes = new TreeMap<>();
  private final Kin kin = new Kin();
  private final HeldPlaces held = new HeldPlaces();
  private final Arrivals arrivals;
  private final RecentLanes recent = new RecentLanes();
  private final Map<Lane, List<Scope>> scopes = new HashMap<>();
  private int after;
  /** True while one window takes in all lanes: then there is no need to look at some apart. */
  private boolean fits;
  /** True when the windows have gone round since the lanes did not fit into one. */
  private boolean wentRound;
  /** True when the last window had something that was not known. */
  private boolean brought;

  private long lookedAt;
  private long lookTook;

  /** A book of the lanes that are handled here; {@code holder} is what holds a place, null for nothing. */
  LaneBook(Turns turns, Predicate<Lane> handled, Function<Place, @Nullable Object> holder) {
    this.turns = turns;
    this.handled = handled;
    this.holder = holder;
    this.arrivals = new Arrivals(handled);
  }

  /** Takes in the next window, if it is time for one, and the lanes that are looked at every time. */
  void look(JobStore store, LongSupplier nanoTime) {
    long now = nanoTime.getAsLong();
    boolean window = untilWindow(now) <= 0;
    Set<Integer> also = fits ? Set.of() : apart();
    if (!window && also.isEmpty()) {
      return;
    }
    boolean round = wentRound;
    // Should the look fail, the lanes that were named are found by windows at full speed.
    wentRound = false;
    LaneView view = store.look(new Look(after, window ? WINDOW : 0, also));
    wentRound = round;
    Map<Integer, List<LaneHead>> seen =
        view.heads().stream().collect(Collectors.groupingBy(LaneHead::laneId));
    also.stream().filter(lane -> !seen.containsKey(lane)).forEach(this::forget);
    if (window) {
      lanes.subMap(after, false, view.upTo(), true).keySet().stream()
          .filter(lane -> !seen.containsKey(lane))
          .toList()
          .forEach(this::forget);
    }
    boolean news = false;
    for (Map.Entry<Integer, List<LaneHead>> entry : seen.entrySet()) {
      news |= note(entry.getKey(), entry.getValue(), now);
    }
    if (window) {
      brought = news;
      turnPage(view.upTo());
      lookedAt = nanoTime.getAsLong();
      lookTook = lookedAt - now;
    }
  }

  private Set<Integer> apart() {
    Set<Integer> some = recent.next();
    some.addAll(arrivals.take(WINDOW));
    return some;
  }

  private void turnPage(int upTo) {
    boolean end = upTo == LaneView.END;
    fits = after == 0 && end;
    wentRound = !fits && (wentRound || end);
    after = end ? 0 : upTo;
    arrivals.collect(!fits);
  }

  private long untilWindow(long now) {
    if (fits || !wentRound || brought) {
      return 0;
    }
    return lookedAt + Math.min(LONGEST_REST, (PARTS - 1) * lookTook) - now;
  }

  /** The time until another look may find more; long when that is up to the next poll. */
  Duration untilLook(long now) {
    if (!arrivals.isEmpty()) {
      return Duration.ZERO;
    }
    return after == 0 ? LONG : Duration.ofNanos(Math.max(0, untilWindow(now)));
  }

  /** Notes in which lanes work came in; from any thread. */
  void arrived(Map<Integer, Lane> lanes) {
    arrivals.add(lanes);
  }

  /** True while it is of use to be told of lanes in which work came in; from any thread. */
  boolean wantsArrivals() {
    return arrivals.collects();
  }

  /** Takes in what is ready in a lane; true when some of it was not known. */
  private boolean note(int lane, List<LaneHead> heads, long now) {
    if (!handled.test(heads.getFirst().lane())) {
      return false;
    }
    Map<Integer, Place> places = lanes.computeIfAbsent(lane, l -> new HashMap<>(2));
    Set<Integer> priorities = heads.stream().map(LaneHead::priority).collect(Collectors.toSet());
    places.values().removeIf(place -> {
      boolean gone = !priorities.contains(place.priority);
      if (gone) {
        remove(place);
      }
      return gone;
    });
    boolean news = false;
    for (LaneHead head : heads) {
      if (!places.containsKey(head.priority())) {
        Place place = new Place(head, scopesOf(head.lane()));
        places.put(head.priority(), place);
        add(place, now);
        news = true;
      }
    }
    return news;
  }

  /** The scopes of a lane, the same list for all that differ in the limit key alone. */
  private List<Scope> scopesOf(Lane lane) {
    if (scopes.size() > MOST_SCOPES) {
      scopes.clear();
    }
    Lane plain = new Lane(lane.tenant(), lane.queue(), lane.type(), lane.urlGroup(), "");
    return scopes.computeIfAbsent(plain, Scope::of);
  }

  private void add(Place place, long now) {
    held.giveTurn(place);
    Object by = holder.apply(place);
    if (by == null) {
      turns.add(place, now);
    } else {
      turns.addParked(place, now);
      held.add(place, by);
    }
    kin.add(place);
  }

  private void forget(int lane) {
    Map<Integer, Place> places = lanes.remove(lane);
    if (places != null) {
      places.values().forEach(this::remove);
    }
  }

  private void remove(Place place) {
    turns.remove(place);
    kin.remove(place);
    held.remove(place);
  }

  /** Which places have something in common. */
  Kin kin() {
    return kin;
  }

  /** Notes that a place had its turn: of those that are held together, it comes back last. */
  void served(Place place) {
    held.giveTurn(place);
  }

  /** Takes a place out of the line until what holds it does so no more. */
  void park(Place place, Object by) {
    turns.park(place);
    held.add(place, by);
  }

  /** Lets places into the line again that nothing holds any more. */
  void free(Function<Place, @Nullable Object> byNow) {
    held.free(byNow, turns::unpark);
  }

  /** True when all places that are held were looked at since the last rest. */
  boolean hasSeenHeld() {
    return held.isSeen();
  }

  /** Notes that nothing is done for a while. */
  void rest() {
    held.rest();
  }

  /** Notes that a place gave less than it was asked for: it has no more for now. */
  void emptied(Place place) {
    remove(place);
    Map<Integer, Place> places = lanes.get(place.laneId);
    if (places != null) {
      places.remove(place.priority);
      if (places.isEmpty()) {
        lanes.remove(place.laneId);
      }
    }
    recent.add(place.laneId);
  }
}
