package io.sluice.engine;

import io.sluice.Lane;
import java.util.HashMap;
import java.util.Map;

/**
 * How many units of each URL group may be in hand, so that receivers which do not answer leave room to the
 * others. A group alone may hold the share of the slots that is set; the more the groups together hold,
 * the less each of them may take, for what one may hold goes with what is free. However many receivers
 * hang, some slots stay free, and every group may have one.
 */
final class GroupSlots {
  private record Group(String tenant, String name) {
    static Group of(Lane lane) {
      return new Group(lane.tenant(), lane.urlGroup());
    }
  }

  private final int most;
  private final int slots;
  /** What a group may hold for each slot that no group holds. */
  private final double perFree;

  private final Map<Group, Integer> held = new HashMap<>();
  private int heldByAll;

  GroupSlots(EngineSettings settings, Dispatcher dispatcher) {
    most = settings.lanes().urlGroupSlots();
    slots = settings.slots();
    perFree = (double) most / Math.max(1, slots - most);
    if (isBound()) {
      dispatcher.inHandByLane().forEach(this::take);
    }
  }

  private boolean isBound() {
    return most < slots;
  }

  /** How many more units of a lane's group may be claimed. */
  int room(Lane lane) {
    if (!isBound() || lane.urlGroup().isEmpty()) {
      return Integer.MAX_VALUE;
    }
    int has = held.getOrDefault(Group.of(lane), 0);
    int free = slots - heldByAll;
    int mayHave = Math.clamp((long) Math.ceil(perFree * free), 1, most);
    // One at a time: what is free is less after each.
    return has < mayHave ? 1 : 0;
  }

  void take(Lane lane, int units) {
    if (isBound() && !lane.urlGroup().isEmpty()) {
      held.merge(Group.of(lane), units, Integer::sum);
      heldByAll += units;
    }
  }
}
