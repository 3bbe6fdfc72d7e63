package io.sluice.engine;

import io.sluice.Lane;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Places that may not run now, in groups that the same thing holds: a paused queue, a breaker, a limit. They are
 * in no line, so that a round costs the same however many they are. A round looks at a few groups and lets those
 * go that nothing holds any more, those served longest ago first. It lets a few of a group go, and twice as
 * many each time that they were not held again: what a limit holds must not all move with every job that ends.
 *
 * <p>A group has places of one queue and priority, so that whose turn it is among those is not decided here.
 */
final class HeldPlaces {
  /** How many groups are looked at in a round. */
  static final int MOST_GROUPS = 256;
  /** How many places are let go in a round: no claim takes from more. */
  static final int MOST_FREED = 512;
  /** How many of a group are let go at first. */
  static final int FIRST_FREED = 32;
  /** How many places of a group are asked in a round whether they are held, where they may differ. */
  private static final int MOST_ASKED = 4;

  private record Key(Object holder, Turns.@Nullable Queue queue, int priority) {
    static Key of(Place place, Object holder) {
      return new Key(holder, place.queue, place.priority);
    }

    /** True where lanes are held by a rule of the user's, which may tell those of a group apart. */
    boolean mayDiffer() {
      return holder instanceof Lane;
    }
  }

  /** The places of one queue and priority that one thing holds. */
  static final class Group {
    private final Key key;
    private final SortedSet<Place> places = new TreeSet<>(
        Comparator.comparingLong((Place place) -> place.turn).thenComparingInt(p -> p.laneId));
    private int portion = FIRST_FREED;

    private Group(Key key) {
      this.key = key;
    }
  }

  private final Map<Key, Group> groups = new HashMap<>();
  /** The same groups, the next to be looked at first. */
  private final Deque<Group> order = new ArrayDeque<>();

  private long turns;
  private int unseen;

  /** Gives a place the last turn of all: it is new, or it was served. */
  void giveTurn(Place place) {
    Group group = place.heldWith;
    if (group != null) {
      group.places.remove(place);
    }
    place.turn = ++turns;
    if (group != null) {
      group.places.add(place);
    }
  }

  /** Puts a place to those that are held by the same. */
  void add(Place place, Object holder) {
    Key key = Key.of(place, holder);
    Group group = groups.get(key);
    if (group == null) {
      group = new Group(key);
      groups.put(key, group);
      order.add(group);
    }
    group.places.add(place);
    place.heldWith = group;
  }

  void remove(Place place) {
    Group group = place.heldWith;
    if (group != null) {
      place.heldWith = null;
      group.places.remove(place);
    }
  }

  /** Lets places go that nothing holds any more; {@code holder} says what holds one, null for nothing. */
  void free(Function<Place, @Nullable Object> holder, Consumer<Place> onFree) {
    int left = MOST_FREED;
    boolean more = false;
    for (int looks = Math.min(MOST_GROUPS, order.size()); looks > 0 && left > 0; looks--) {
      Group group = order.removeFirst();
      int freed = free(group, left, holder, onFree);
      if (group.places.isEmpty()) {
        groups.remove(group.key);
      } else {
        order.addLast(group);
        more |= freed > 0;
      }
      left -= freed;
      unseen--;
    }
    if (more) {
      unseen = Math.max(unseen, 1);
    }
  }

  private int free(
      Group group, int most, Function<Place, @Nullable Object> holder, Consumer<Place> onFree) {
    int freed = 0;
    int asks = Math.min(MOST_ASKED, group.places.size());
    int portion = Math.min(group.portion, most);
    while (asks > 0 && freed < portion && !group.places.isEmpty()) {
      Place place = group.places.first();
      Object by = holder.apply(place);
      boolean heldAsBefore = by != null && by.equals(group.key.holder);
      if (heldAsBefore && !group.key.mayDiffer()) {
        group.portion = FIRST_FREED;
        return freed;
      }
      group.places.remove(place);
      place.heldWith = null;
      if (by == null) {
        onFree.accept(place);
        freed++;
      } else {
        if (heldAsBefore) {
          // Behind the others, so that each is asked in time.
          giveTurn(place);
        }
        add(place, by);
        asks--;
      }
    }
    if (freed == group.portion) {
      group.portion = Math.min(MOST_FREED, 2 * group.portion);
    }
    return freed;
  }

  /** True when every group was looked at since the last rest. */
  boolean isSeen() {
    return unseen <= 0;
  }

  /** Notes that nothing is done for a while: after that, every group is to be looked at again. */
  void rest() {
    unseen = order.size();
  }
}
