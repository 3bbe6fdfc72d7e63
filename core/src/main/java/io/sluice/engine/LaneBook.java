package io.sluice.engine;

import io.sluice.store.JobStore;
import io.sluice.store.LaneHead;
import io.sluice.store.LaneView;
import io.sluice.store.Look;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The places that have ready work, as far as is known here. One look takes in a window of the lanes that
 * have some, and the windows go round, so that it costs the same however many there are; while they all
 * fit into one, what the book says is as new as the last look. Lanes that ran empty lately are looked at
 * every time: they are where work comes in next.
 */
final class LaneBook {
  static final int WINDOW = 128;
  private static final int RECENT = 32;

  private final Turns turns;
  private final NavigableMap<Integer, Map<Integer, Place>> lanes = new TreeMap<>();
  private final Kin kin = new Kin();
  private final Set<Integer> recent = new LinkedHashSet<>();
  private int after;
  /** True while one window takes in all lanes: then there is no need to look at some apart. */
  private boolean fits;

  LaneBook(Turns turns) {
    this.turns = turns;
  }

  /** Takes in the next window. */
  void look(JobStore store, long now) {
    Set<Integer> also = fits ? Set.of() : recent;
    LaneView view = store.look(new Look(after, WINDOW, also));
    Map<Integer, List<LaneHead>> seen =
        view.heads().stream().collect(Collectors.groupingBy(LaneHead::laneId));
    lanes.subMap(after, false, view.upTo(), true).keySet().stream()
        .filter(lane -> !seen.containsKey(lane))
        .toList()
        .forEach(this::forget);
    also.stream().filter(lane -> !seen.containsKey(lane)).forEach(this::forget);
    seen.forEach((lane, heads) -> note(lane, heads, now));
    fits = after == 0 && view.upTo() == LaneView.END;
    after = view.upTo() == LaneView.END ? 0 : view.upTo();
  }

  /** True when the last look came to the end of the lanes. */
  boolean isRound() {
    return after == 0;
  }

  private void note(int lane, List<LaneHead> heads, long now) {
    Map<Integer, Place> places = lanes.computeIfAbsent(lane, l -> new HashMap<>());
    Set<Integer> priorities = heads.stream().map(LaneHead::priority).collect(Collectors.toSet());
    places.values().removeIf(place -> {
      boolean gone = !priorities.contains(place.priority);
      if (gone) {
        remove(place);
      }
      return gone;
    });
    for (LaneHead head : heads) {
      if (!places.containsKey(head.priority())) {
        Place place = new Place(head);
        places.put(head.priority(), place);
        turns.add(place, now);
        kin.add(place);
      }
    }
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
  }

  /** Which places have something in common. */
  Kin kin() {
    return kin;
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
    if (recent.size() > RECENT) {
      recent.remove(recent.iterator().next());
    }
  }
}
